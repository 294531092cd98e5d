import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages'
import type { ModelRequest } from '../message.ts'

export interface SdkOptions {
  apiKey: string | undefined
  authToken: string | undefined
  baseURL: string | undefined
  /** Over which connections; without it those that the whole process shares. */
  fetch?: typeof fetch | undefined
}

/** Sends a request; the answer's head has arrived, its body has not. Throws what the SDK throws. */
export type Open = (request: ModelRequest, signal: AbortSignal) => Promise<Response>

const BASE_URL = 'https://api.anthropic.com'

/**
 * A client of @anthropic-ai/sdk with nothing but its messages: the whole one takes three times as long to load. The SDK's own retries
 * are off: they hide attempts, wait at random, and end where the stream begins. Everything it would read from the environment is given.
 */
export function openSdk(options: SdkOptions): Open {
  const messages = messagesOf(options)
  type Params = Parameters<typeof messages.create>[0]
  return (request, signal) => messages.create({ ...(request as unknown as Params), stream: true }, { signal }).asResponse()
}

/** Counts the tokens of a request. Throws what the SDK throws. */
export function openCount(options: SdkOptions): (request: ModelRequest, signal: AbortSignal) => Promise<number> {
  const messages = messagesOf(options)
  type Params = Parameters<typeof messages.countTokens>[0]
  return async (request, signal) => {
    const { max_tokens: _, ...counted } = request
    return (await messages.countTokens(counted as unknown as Params, { signal })).input_tokens
  }
}

function messagesOf({ apiKey, authToken, baseURL, fetch }: SdkOptions): Messages {
  const client = new BaseAnthropic({
    apiKey: apiKey ?? null,
    authToken: apiKey === undefined ? (authToken ?? null) : null,
    baseURL: baseURL || BASE_URL,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    ...(fetch && { fetch }),
  })
  return new Messages(client)
}
