/** When a run compacts its conversation: at so many tokens, messages, or US dollars spent since the last time. */
export interface CompactSettings {
  tokens?: number | undefined
  messages?: number | undefined
  usd?: number | undefined
}
