import type { ServerConfig } from './shapes/server.ts'

/** `${NAME}` and `${NAME:-default}` in the settings of a server (claude-code-agents.md 10.3). */
const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** In: a server's settings, and the values there are. Out: the settings with the references filled in, or the first name without a value. */
export function fillIn(
  config: ServerConfig,
  values: Readonly<Record<string, string | undefined>>,
): { config: ServerConfig } | { unset: string } {
  let unset: string | undefined
  const text = (value: string): string =>
    value.replace(REFERENCE, (whole, name: string, fallback: string | undefined) => {
      const known = values[name] ?? fallback
      if (known === undefined) unset ??= name
      return known ?? whole
    })
  const record = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]))
  const filled: ServerConfig =
    config.type === 'stdio'
      ? {
          ...config,
          command: text(config.command),
          ...(config.args && { args: config.args.map(text) }),
          ...(config.env && { env: record(config.env) }),
        }
      : { ...config, url: text(config.url), ...(config.headers && { headers: record(config.headers) }) }
  return unset === undefined ? { config: filled } : { unset }
}

/** The variables that a server's settings name. */
export function namesIn(config: ServerConfig): string[] {
  return [...JSON.stringify(config).matchAll(REFERENCE)].map(([, name]) => name!)
}

/** What a program needs to be found and to run at all. Nothing else of the environment reaches a server that is started. */
const ALWAYS = ['PATH', 'HOME', 'SystemRoot', 'PATHEXT', 'USERPROFILE', 'TEMP', 'TMP', 'TMPDIR']

/** The environment of a server: what it always needs, the variables its settings name, and its own `env` on top. */
export function serverEnvironment(
  written: ServerConfig,
  filled: ServerConfig & { type: 'stdio' },
  values: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const wanted = [...ALWAYS, ...namesIn(written)].flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]))
  return { ...Object.fromEntries(wanted), ...filled.env }
}
