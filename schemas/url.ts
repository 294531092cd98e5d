/**
 * In: what should be an absolute address, or one relative to `base`. Out: nothing, if it is none. `URL.canParse` does not serve: in hot code
 * of Node 20 it says no to addresses with letters beyond ASCII, and a rule for such a host would not hold.
 */
export function urlOf(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
