import { readAtMost } from '@agent-service/sdk/async'
import { callVendor, channelHttpFailure, parsedJson, retryAfterOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import { channelOutcomeUnknownError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { type CallPurpose, refusalOf, slack } from './refusals.js'

/** How a method is called. */
export interface ApiCall extends CallPurpose {
  readonly signal: AbortSignal
  readonly token: string
}

/** The Web API of Slack, and the addresses that it names. */
export interface SlackApi {
  /** Calls a method with parameters in a form. @throws the errors of the contract, or the signal's reason. */
  call(method: string, parameters: Readonly<Record<string, string>>, call: ApiCall): Promise<Values>
  /**
   * An address of an answer, if it is one of Slack. @throws `channel_unavailable` for any other: no
   * token and no file goes there.
   */
  addressOf(value: unknown, kind: 'page' | 'socket'): URL
  /** The longest wait for an answer, in milliseconds. */
  readonly limitMs: number
}

/** Where the API is. */
export interface ApiOptions {
  readonly baseUrl: string
  readonly limitMs: number
}

/** Answers are small; Slack gives none that is larger. */
const maxAnswerBytes = 4 * 1_048_576

/** Makes the API. */
export function createApi({ baseUrl, limitMs }: ApiOptions): SlackApi {
  const base = new URL(baseUrl)
  return {
    limitMs,
    async call(method, parameters, { signal, token, ...purpose }) {
      const ask = async (within: AbortSignal): Promise<Values> => {
        const answer = await fetch(new URL(`/api/${method}`, base), {
          ...{ method: 'POST', redirect: 'manual', signal: within, body: new URLSearchParams(parameters) },
          headers: { authorization: `Bearer ${token}` },
        })
        return read(answer, purpose)
      }
      return callVendor(ask, { channel: slack, signal, limitMs, sending: purpose.sending ?? false })
    },
    addressOf(value, kind) {
      const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
      const protocol = kind === 'page' ? base.protocol : base.protocol.replace('http', 'ws')
      const isOfSlack = url?.hostname === base.hostname || url?.hostname.endsWith(`.${base.hostname}`)
      if (url !== undefined && isOfSlack && url.protocol === protocol && url.port === base.port && url.username === '') return url
      throw channelUnavailableError.create({ channel: slack, reason: 'it names an address that is not one of its own' })
    },
  }
}

async function read(answer: Response, purpose: CallPurpose): Promise<Values> {
  const { status, headers } = answer
  const retryAfterMs = retryAfterOf(headers.get('retry-after') ?? undefined)
  if (status !== 200) {
    await answer.body?.cancel()
    throw channelHttpFailure({ channel: slack, status, retryAfterMs, sending: purpose.sending ?? false })
  }
  if (answer.body === null) throw unreadable(purpose.sending ?? false)
  const { bytes, cut } = await readAtMost(answer.body as AsyncIterable<Uint8Array>, { maxBytes: maxAnswerBytes })
  const body = valuesOf(cut ? undefined : parsedJson(new TextDecoder().decode(bytes)))
  if (body['ok'] === true) return body
  if (body['ok'] === false) throw refusalOf(body['error'], purpose, retryAfterMs)
  throw unreadable(purpose.sending ?? false)
}

/** An answer that Slack does not give: what was sent may have been taken. */
export const unreadable = (sending: boolean): Error =>
  (sending ? channelOutcomeUnknownError : channelUnavailableError).create({ channel: slack, reason: 'its answer cannot be read' })
