import { ServiceError } from '@agent-service/sdk'
import {
  vaultConnectionInvalidError,
  vaultContentInvalidError,
  vaultRateLimitedError,
  vaultSealedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClient, HttpClientLimits, HttpClientResponse } from '@agent-service/sdk/services/http-client'
import type { Server } from './members.js'

/** What errors call the store. */
export const vault = 'HashiCorp Vault'

/** A request below `/v1/`. */
export interface ApiRequest {
  /** Encoded. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  /** Sent as JSON. */
  readonly body?: object
}

/** An answer that the caller has to understand. */
export interface ApiAnswer {
  /** 200 to 299, 400, 403 or 404. */
  readonly status: number
  /** Empty for an answer without a body. */
  readonly body: Readonly<Record<string, unknown>>
  /** What the server says is wrong. Not for people: it may repeat what was sent. */
  readonly errors: readonly string[]
}

/** Sends requests to one server. @throws the errors of the contract, or the signal's reason. */
export type Api = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>

/** How far requests may go. */
export interface ApiLimits extends HttpClientLimits {
  readonly totalMs: number
  readonly maxBodyBytes: number
}

/** A page of names, or one secret, whose size Vault bounds to 1 MiB. */
export const usualLimits: ApiLimits = { totalMs: 15_000, headersMs: 10_000, idleMs: 10_000, maxBodyBytes: 2 * 1024 * 1024 }

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const understood: ReadonlySet<number> = new Set([400, 403, 404])

/** Makes the API of a server. */
export function createApi(http: HttpClient, server: Server, limits: ApiLimits): Api {
  return async (request, signal) => {
    const answer = await send(http, server, limits, request, signal)
    if (answer.status >= 300 && !understood.has(answer.status)) throw failureOf(answer)
    return parse(answer)
  }
}

async function send(
  http: HttpClient,
  { address, headers, isTrusted }: Server,
  limits: ApiLimits,
  { path, method = 'GET', body }: ApiRequest,
  signal: AbortSignal,
): Promise<HttpClientResponse> {
  const sent = {
    ...({ method, redirect: 'return', limits, allowHttp: isTrusted, allowPrivate: isTrusted } as const),
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const url = `${address}/v1/${path}`
  const answer = await http.request({ ...sent, url }, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : mapped(error, limits)
  })
  if (redirects.has(answer.status))
    throw unavailable(
      `it leads to ${otherServer(answer, url)}, where the token is not sent. If that is the Vault, it is the address to give`,
    )
  return answer
}

/** Where the redirect of a standby, or of what is in front of a server, leads. */
function otherServer({ headers: { location = '' } }: HttpClientResponse, from: string): string {
  if (!URL.canParse(location, from)) return 'another address'
  const { origin, pathname } = new URL(location, from)
  // What it asks for stands below the address: that may have a path, on the same server too.
  const asked = new URL(from).pathname.replace(/^.*?\/v1\//, '/v1/')
  return `“${origin}${(pathname.endsWith(asked) ? pathname.slice(0, -asked.length) : pathname).replace(/\/+$/, '')}”`
}

/** The error of the contract for one of the client. Its reasons are made for people and name no secret. */
function mapped(error: unknown, { totalMs }: ApiLimits): unknown {
  if (!ServiceError.isInstance(error)) return unavailable('the request failed', error)
  const reason = String(error.details['reason'] ?? '').replace(/\.$/, '')
  switch (error.code) {
    case 'http_address_refused':
    case 'http_request_invalid':
      return vaultConnectionInvalidError.create({ member: 'address', reason: `is refused: ${reason}` }, { cause: error })
    case 'http_connection_failed':
      return unavailable(reason, error)
    case 'http_request_timeout':
      return unavailable(`it did not answer within ${Math.ceil(totalMs / 1_000)} s`, error)
    case 'http_client_busy':
      return unavailable('too many requests to it are under way', error)
    case 'http_response_too_large':
      return vaultContentInvalidError.create({ vault, reason: 'its answer is too large' }, { cause: error })
    case 'http_response_invalid':
      return vaultContentInvalidError.create({ vault, reason: 'its answer is not valid HTTP' }, { cause: error })
    default:
      return error
  }
}

const unavailable = (reason: string, cause?: unknown): Error => vaultUnavailableError.create({ vault, reason }, { cause })

/** The error for a status that no caller understands. */
function failureOf({ status, headers, body }: HttpClientResponse): Error {
  if (status === 429) {
    const seconds = Number(headers['retry-after'] ?? Number.NaN)
    return Number.isFinite(seconds) && seconds >= 0 && seconds <= 86_400
      ? vaultRateLimitedError.create({ vault, retryAfterMs: seconds * 1_000 }, { retryAfterSeconds: Math.ceil(seconds) })
      : vaultRateLimitedError.create({ vault })
  }
  if (status === 503 && textOf(body).includes('sealed')) return vaultSealedError.create({ vault })
  if (status === 472 || status === 473) return unavailable('the server is a standby that answers no requests')
  if (status === 412) return unavailable('the server has not caught up with a change yet')
  if (status >= 500) return unavailable(`it answers with the status ${status}`)
  return vaultContentInvalidError.create({ vault, reason: `it answers with the status ${status}, which is not one of Vault` })
}

function parse({ status, body }: HttpClientResponse): ApiAnswer {
  if (status === 204 || (status < 300 && body.length === 0)) return { status, body: {}, errors: [] }
  const parsed = parsedJson(textOf(body))
  const errors = isRecord(parsed) && Array.isArray(parsed['errors']) ? parsed['errors'].map(String) : []
  // Another server's page for an unknown address, such as a proxy's, is no answer of Vault.
  if (!isRecord(parsed) || (status >= 400 && !Array.isArray(parsed['errors']) && !isRecord(parsed['data'])))
    throw vaultContentInvalidError.create({ vault, reason: 'its answer is not one of Vault. Check the address of the connection' })
  return { status, body: parsed, errors }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's error quotes the text, which may hold secrets; the caller reports what is wrong.
    return undefined
  }
}

/** Whether a value is an object and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
