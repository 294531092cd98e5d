/** What is wrong with a command line, for a person. */
export class UsageFault extends Error {
  override name = 'UsageFault'
}
