import { ServiceError } from '@agent-service/sdk'
import {
  vaultConnectionInvalidError,
  vaultContentInvalidError,
  vaultRateLimitedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClient, HttpClientResponse } from '@agent-service/sdk/services/http-client'
import type { Account } from '../connection/members.js'
import { vault } from '../connection/vault-name.js'
import { type Answer, camelCased, objectOf } from '../json/camel-case.js'

/** A request to one of the servers of an account. */
export interface ServerRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBodyBytes?: number
}

/** Times of a request. */
export interface ServerLimits {
  readonly headersMs: number
  readonly totalMs: number
}

export const defaultLimits: ServerLimits = { headersMs: 20_000, totalMs: 60_000 }

/** Sends a request, and gives the answer whatever its status below 500 but 429 is. */
export type Send = (account: Account, request: ServerRequest, options: { readonly signal: AbortSignal }) => Promise<HttpClientResponse>

/** What servers want to know of a client; those of SSH keys are given to no older one. */
const headers: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'bitwarden-client-name': 'sdk',
  'bitwarden-client-version': '2025.12.0',
  'device-type': '21',
}

/**
 * Requests go to the addresses that the account names and to no other, with redirects refused:
 * an account's token is sent to no other server. @throws the errors of the contract.
 */
export function createSend(client: HttpClient, limits: ServerLimits = defaultLimits): Send {
  return async ({ isSystem }, { url, maxBodyBytes = 1_000_000, ...request }, { signal }) => {
    const answer = await client
      .request(
        {
          url,
          ...request,
          headers: { ...headers, ...request.headers },
          allowHttp: isSystem,
          allowPrivate: isSystem,
          redirect: 'refuse',
          limits: { ...limits, idleMs: limits.headersMs, maxBodyBytes },
        },
        { signal },
      )
      .catch((error: unknown) => fail(error, signal))
    if (answer.status === 429) throw rateLimited(answer)
    if (answer.status >= 500) throw vaultUnavailableError.create({ vault, reason: `it answered with the status ${answer.status}` })
    return answer
  }
}

/** What the client says names the host alone, never what an address leads to. */
function fail(error: unknown, signal: AbortSignal): never {
  if (signal.aborted) throw signal.reason
  if (!ServiceError.isInstance(error)) throw vaultUnavailableError.create({ vault, reason: 'the request failed' }, { cause: error })
  if (error.code === 'http_address_refused' || error.code === 'http_request_invalid')
    throw vaultConnectionInvalidError.create(
      { member: 'server_url', reason: 'leads to an address that is not permitted' },
      { cause: error },
    )
  if (error.code === 'http_redirect_refused')
    throw vaultConnectionInvalidError.create(
      { member: 'server_url', reason: 'redirects; name the address that it leads to' },
      { cause: error },
    )
  if (error.code === 'http_response_too_large' || error.code === 'http_response_invalid')
    throw vaultContentInvalidError.create({ vault, reason: 'its answer is damaged, or larger than it may be' }, { cause: error })
  const reason =
    error.code === 'http_request_timeout'
      ? 'it is too slow'
      : error.code === 'http_client_busy'
        ? 'too many requests wait for it'
        : 'there is no connection to it, or its certificate is not trusted'
  throw vaultUnavailableError.create({ vault, reason }, { cause: error })
}

function rateLimited({ headers: { 'retry-after': value } }: HttpClientResponse): Error {
  const seconds = value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined
  const retryAfterMs = seconds === undefined ? undefined : seconds * 1_000
  return vaultRateLimitedError.create({ vault, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
}

/** The object in a body. @throws `vault_content_invalid`. */
export function bodyOf({ body }: HttpClientResponse): Answer {
  const answer = answerOf(body)
  if (answer === undefined) throw vaultContentInvalidError.create({ vault, reason: 'its answer is not the JSON of a Bitwarden server' })
  return answer
}

/** The same, or undefined: for failures, whose body may be anything. */
export function answerOf(body: Uint8Array): Answer | undefined {
  try {
    return objectOf(camelCased(JSON.parse(new TextDecoder().decode(body))))
  } catch {
    // Said by the value.
    return undefined
  }
}
