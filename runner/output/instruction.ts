/** What an agent is told whose answer has to be a JSON value. It stands at the end of the first message. */
export function schemaInstruction(schema: Readonly<Record<string, unknown>>): string {
  return `Your final answer must be one JSON value that fits the JSON Schema below, with no text before or after it. This holds for the final answer only.\n\n<output-schema>\n${JSON.stringify(schema)}\n</output-schema>`
}
