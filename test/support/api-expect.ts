/** A request as the scripted API got it, and when, in milliseconds. */
export interface ApiRequest {
  at: number
  body: {
    model: string
    stream?: boolean
    system?: unknown
    tools?: { name: string }[]
    output_config?: { effort?: string }
    messages: { role: string; content: string | Block[] }[]
  }
}

interface Block {
  type: string
  id?: string
  text?: string
  tool_use_id?: string
  content?: unknown
  is_error?: boolean
}

interface ResultExpectation {
  id?: string
  is_error?: boolean
  contains?: string
}

/** What a case expects of a request; see test/cases/README.md. */
export interface RequestExpectation {
  system_contains?: string
  system_or_first_user_contains?: string[]
  tools?: string[]
  tools_exclude?: string[]
  tool_names_unique?: true
  model_not_in?: string[]
  model_equals_request?: number
  model_differs_from_request?: number
  effort?: string
  messages_include?: string[]
  last_tool_result?: ResultExpectation
  last_tool_results_contain?: string[]
  all_last_tool_results_are_errors?: true
  tool_result?: ResultExpectation
  every_tool_use_has_result?: true
  seconds_since_previous_at_least?: number
}

type Check<K extends keyof RequestExpectation> = (
  want: NonNullable<RequestExpectation[K]>,
  request: ApiRequest,
  before: readonly ApiRequest[],
) => boolean

/** Complete by its type: what a case may expect is looked at. */
const CHECKS: { [K in keyof Required<RequestExpectation>]: Check<K> } = {
  system_contains: (want, { body }) => JSON.stringify(body.system ?? '').includes(want),
  system_or_first_user_contains: (want, { body }) => want.every((text) => JSON.stringify([body.system, body.messages[0]]).includes(text)),
  tools: (want, { body }) => JSON.stringify(namesOf(body).sort()) === JSON.stringify([...want].sort()),
  tools_exclude: (want, { body }) => want.every((name) => !namesOf(body).includes(name)),
  tool_names_unique: (_, { body }) => new Set(namesOf(body)).size === namesOf(body).length,
  model_not_in: (want, { body }) => !want.includes(body.model),
  model_equals_request: (want, { body }, before) => body.model === before[want]?.body.model,
  model_differs_from_request: (want, { body }, before) => body.model !== before[want]?.body.model,
  effort: (want, { body }) => body.output_config?.effort === want,
  messages_include: (want, { body }) => want.every((text) => JSON.stringify(body.messages).includes(text)),
  last_tool_result: (want, { body }) => fits(want, resultsOf(body.messages.at(-1)).at(-1)),
  last_tool_results_contain: (want, { body }) => want.every((text) => JSON.stringify(resultsOf(body.messages.at(-1))).includes(text)),
  all_last_tool_results_are_errors: (_, { body }) => {
    const results = resultsOf(body.messages.at(-1))
    return results.length > 0 && results.every((block) => block.is_error === true)
  },
  tool_result: (want, { body }) =>
    fits(
      want,
      body.messages.flatMap(resultsOf).find((block) => block.tool_use_id === want.id),
    ),
  every_tool_use_has_result: (_, { body }) =>
    body.messages.every((message, at) => {
      const answered = new Set(resultsOf(body.messages[at + 1]).map((block) => block.tool_use_id))
      return blocksOf(message).every((block) => block.type !== 'tool_use' || answered.has(block.id))
    }),
  seconds_since_previous_at_least: (want, { at }, before) => at - (before.at(-1)?.at ?? at) >= want * 1000 - 20,
}

/** What of the expectation the request does not hold. */
export function requestFaults(expected: RequestExpectation, request: ApiRequest, before: readonly ApiRequest[]): string[] {
  return Object.entries(expected).flatMap(([key, want]) => {
    const check = CHECKS[key as keyof RequestExpectation] as Check<never> | undefined
    if (!check) return [`${key} is an expectation that nothing looks at`]
    return check(want as never, request, before) ? [] : [`not as expected: ${key} ${JSON.stringify(want)}`]
  })
}

const namesOf = (body: ApiRequest['body']): string[] => (body.tools ?? []).map((tool) => tool.name)

function blocksOf(message: ApiRequest['body']['messages'][number] | undefined): Block[] {
  return typeof message?.content === 'object' ? message.content : []
}

function resultsOf(message: ApiRequest['body']['messages'][number] | undefined): Block[] {
  return blocksOf(message).filter((block) => block.type === 'tool_result')
}

function fits({ is_error: isError, contains = '' }: ResultExpectation, block: Block | undefined): boolean {
  if (!block) return false
  const said = JSON.stringify(block.content ?? '')
    .toLowerCase()
    .includes(contains.toLowerCase())
  return said && (isError === undefined || (block.is_error === true) === isError)
}
