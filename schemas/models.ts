/**
 * The one table that pins a model's alias to a full id at build time (measured.md "Models and effort", Claude Code 2.1.332).
 * `default` is what a main agent without a model of its own runs on.
 */
export const MODELS: Readonly<Record<string, string>> = {
  default: 'claude-opus-5-5',
  best: 'claude-opus-5-5',
  fable: 'claude-fable-5-2',
  haiku: 'claude-haiku-5-5',
  opus: 'claude-opus-5-5',
  opusplan: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
}

/** Ids that no table needs to know: Anthropic's own, and the forms cloud providers give them. */
export const MODEL_ID = /^(?:[a-z0-9.-]+[./:@])*claude-[a-z0-9.:@-]+$/
