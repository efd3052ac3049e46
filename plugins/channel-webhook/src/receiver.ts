import { ServiceError } from '@agent-service/sdk'
import { callVendor, channelHttpFailure, retryAfterOf } from '@agent-service/sdk/channels'
import { channelConnectionInvalidError, channelOutcomeUnknownError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { type Fields, objectOf, parsed } from './fields.js'
import { signatureOf } from './signature.js'

export const channel = 'Webhook'

/** Where the service calls, and how it says who it is. */
export interface ReceiverOptions {
  readonly http: HttpClient
  readonly url: string
  readonly secret: string
  readonly token: string | undefined
  /** An administrator has chosen the address. */
  readonly isTrusted: boolean
  readonly now: () => number
  readonly limits: { readonly answerMs: number }
}

/** Posts a body and returns what the other side answers, an object. @throws the errors of the contract. */
export type Post = (body: Fields & { readonly type: string }, options: PostOptions) => Promise<Fields>

export interface PostOptions {
  readonly signal: AbortSignal
  /** The key of a message that is sent. Default: nothing is sent. */
  readonly key?: string
}

export function createPost({ http, url, secret, token, isTrusted, now, limits }: ReceiverOptions): Post {
  return (fields, { signal, key }) => {
    const sending = key !== undefined
    const limitMs = limits.answerMs
    const ask = async (within: AbortSignal): Promise<Fields> => {
      const body = Buffer.from(JSON.stringify(fields))
      const headers = {
        ...{ 'Content-Type': 'application/json', 'X-Signature': signatureOf({ secret, body, now: now() }) },
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(sending && { 'Idempotency-Key': key }),
      }
      const request = {
        url,
        method: 'POST',
        headers,
        body,
        redirect: 'return',
        allowHttp: isTrusted,
        allowPrivate: isTrusted,
        limits: { totalMs: limitMs + 1_000, maxBodyBytes: 65_536 },
      } as const
      const answer = await http.request(request, { signal: within }).catch(refused)
      const { status } = answer
      if (status >= 300) {
        const retryAfterMs = retryAfterOf(answer.headers['retry-after'])
        throw channelHttpFailure({ channel, status, sending, retryAfterMs })
      }
      const read = status === 204 ? {} : objectOf(parsed(answer.body))
      if (read !== undefined) return read
      const definition = sending ? channelOutcomeUnknownError : channelUnavailableError
      throw definition.create({ channel, reason: 'its answer is no JSON object' })
    }
    return callVendor(ask, { channel, signal, limitMs, sending })
  }
}

/** An address that may not be reached is of no use, whatever happens there. */
function refused(error: unknown): never {
  if (ServiceError.isInstance(error) && (error.code === 'http_address_refused' || error.code === 'http_request_invalid'))
    throw channelConnectionInvalidError.create({ member: 'url', reason: 'leads to an address that may not be reached' }, { cause: error })
  throw error
}
