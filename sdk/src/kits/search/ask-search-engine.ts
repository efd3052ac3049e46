import { readAtMost } from '../../async/read-bytes.js'
import { signalWithin } from '../../async/signal-within.js'
import {
  searchQueryRefusedError,
  searchRateLimitedError,
  searchUnauthorizedError,
  searchUnavailableError,
} from '../../contracts/search-provider/errors.js'
import type { ServiceError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { retryAfterOf } from './retry-after.js'

const maxAnswerBytes = 1_048_576
const defaultLimitMs = 20_000

/** An answer of an engine. */
export interface SearchEngineAnswer {
  /** Its status. */
  readonly status: number
  /** The value of a header, or undefined. */
  header(name: string): string | undefined
  /** Its body; undefined if that is no JSON. */
  readonly json: unknown
}

/** One request to an engine, whose address the operator has configured or the provider knows. */
export interface SearchEngineRequest {
  /** The provider's title, for errors. */
  readonly provider: string
  /** Absolute. Without the key: addresses are logged everywhere. */
  readonly url: URL
  /** Names in any case. The key belongs here. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON with `POST`. Default: none, with `GET`. */
  readonly body?: JsonObject
  /** What an answer means that the usual reading of its status would get wrong. Default: nothing. */
  readonly failureOf?: (answer: SearchEngineAnswer) => ServiceError | undefined
  /** From the beginning to the last byte, in milliseconds. Default 20,000. */
  readonly limitMs?: number
}

/**
 * The JSON of an answer with status 200. Redirects are not followed, the body is bounded to 1 MiB, and no
 * error contains a header or what the engine wrote. @throws the errors of the contract, or the reason of
 * the signal.
 */
export async function askSearchEngine(request: SearchEngineRequest, { signal }: { readonly signal: AbortSignal }): Promise<unknown> {
  signal.throwIfAborted()
  const { provider, limitMs = defaultLimitMs } = request
  const within = signalWithin(limitMs, signal)
  const unavailable = (reason: string, cause?: unknown): ServiceError => searchUnavailableError.create({ provider, reason }, { cause })
  try {
    const answer = await answerTo(request, within, unavailable)
    const failure = request.failureOf?.(answer) ?? usualFailure(provider, answer)
    if (failure) throw failure
    if (answer.json === undefined) throw unavailable('its answer is no JSON')
    return answer.json
  } catch (error) {
    signal.throwIfAborted()
    if (within.aborted) throw unavailable(`it took longer than ${limitMs} ms`)
    throw error
  }
}

async function answerTo(
  { url, headers, body }: SearchEngineRequest,
  signal: AbortSignal,
  unavailable: (reason: string, cause?: unknown) => ServiceError,
): Promise<SearchEngineAnswer> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, {
    ...sent,
    ...{ redirect: 'manual', signal, headers: { accept: 'application/json', ...type, ...headers } },
  }).catch((error: unknown) => {
    const cause = reasonOf(error)
    throw unavailable(cause ? 'it cannot be reached' : 'the request cannot be sent; look at its key and its address', cause)
  })
  const { bytes, cut } = await bodyOf(response).catch((error: unknown) => {
    throw unavailable('its answer was interrupted', reasonOf(error))
  })
  if (cut && response.status === 200) throw unavailable(`its answer is larger than ${maxAnswerBytes} bytes`)
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    json: cut ? undefined : parsed(new TextDecoder().decode(bytes)),
  }
}

async function bodyOf({ body }: Response): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
  return body ? readAtMost(body, { maxBytes: maxAnswerBytes }) : { bytes: new Uint8Array(), cut: false }
}

/** Only what a connection says of itself; a request that cannot be made would quote its headers. */
function reasonOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? cause : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function usualFailure(provider: string, { status, header }: SearchEngineAnswer): ServiceError | undefined {
  if (status === 200) return undefined
  const reason = `it answers ${status}`
  if (status === 401 || status === 403) return searchUnauthorizedError.create({ provider, reason })
  if (status === 400 || status === 413 || status === 414 || status === 422) return searchQueryRefusedError.create({ provider, reason })
  if (status === 429) {
    const retryAfterMs = retryAfterOf(header('retry-after'))
    return searchRateLimitedError.create({ provider, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  }
  const redirects = status >= 300 && status < 400
  return searchUnavailableError.create({ provider, reason: redirects ? `${reason}, a redirect, which is not followed` : reason })
}
