import { readAtMost } from '@agent-service/sdk/async'
import { callVendor, channelHttpFailure, parsedJson, retryAfterOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import { channelOutcomeUnknownError, channelRejectedError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'

/** What errors call the vendor. */
export const discord = 'Discord'

/** One request to the API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  /** Below the API's base, each part encoded. */
  readonly path: string
  readonly body?: object | FormData
  readonly signal: AbortSignal
  /** A message is on its way. */
  readonly sending?: boolean
}

/** Sends a request. @throws the errors of the contract, or the signal's reason. */
export type DiscordApi = (request: ApiRequest) => Promise<Values>

const maxAnswerBytes = 4 * 1_048_576

/** Makes the API of a bot. */
export function createApi({
  baseUrl,
  token,
  limitMs,
}: {
  readonly baseUrl: string
  readonly token: string
  readonly limitMs: number
}): DiscordApi {
  return ({ method = 'GET', path, body, signal, sending = false }) => {
    const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
    const ask = async (within: AbortSignal): Promise<Values> => {
      const answer = await fetch(new URL(`/api/v10${path}`, baseUrl), {
        ...{ method, redirect: 'manual', signal: within, ...(content !== undefined && { body: content }) },
        headers: {
          authorization: `Bot ${token}`,
          'user-agent': 'DiscordBot (agent-service, 0.1.0)',
          ...(typeof content === 'string' && { 'content-type': 'application/json' }),
        },
      })
      return read(answer, sending)
    }
    return callVendor(ask, { channel: discord, signal, limitMs: body instanceof FormData ? limitMs * 6 : limitMs, sending })
  }
}

async function read(answer: Response, sending: boolean): Promise<Values> {
  const { status, headers } = answer
  if (status === 204) return {}
  if (status >= 300) {
    await answer.body?.cancel()
    // A missing permission concerns one conversation: the bot is not permitted to write there.
    if (status === 403 && sending) throw rejected('the bot is not permitted to write there')
    throw channelHttpFailure({ channel: discord, status, sending, retryAfterMs: retryAfterOf(headers.get('retry-after') ?? undefined) })
  }
  const { bytes, cut } = await readAtMost((answer.body ?? []) as AsyncIterable<Uint8Array>, { maxBytes: maxAnswerBytes })
  const body = cut ? undefined : parsedJson(new TextDecoder().decode(bytes))
  if (typeof body !== 'object' || body === null) throw unreadable(sending)
  return valuesOf(body)
}

/** An answer that Discord does not give. */
export const unreadable = (sending: boolean): Error =>
  (sending ? channelOutcomeUnknownError : channelUnavailableError).create({ channel: discord, reason: 'its answer cannot be read' })

/** A refusal of one message or file. */
export const rejected = (reason: string): Error => channelRejectedError.create({ channel: discord, reason })
