import { ServiceError } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  httpConnectionError,
  httpResponseInvalidError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'
import type { Agent, Dispatcher } from 'undici'
import { acceptedEncodings } from './decode-body.js'

/** One request to one address. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/** The response to a hop. Its body must be read completely, or ended. */
export interface HopAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
  /** Releases the connection. May be called at any time, and more than once. */
  end(): void
}

/**
 * Sends a request and resolves with the head of its response. Later the signal ends the body.
 * @throws the signal's reason, or an error of the client
 */
export async function sendHop(
  hop: Hop,
  means: {
    readonly agent: Agent
    readonly clock: Clock
    readonly headersMs: number
    readonly idleMs: number
    readonly signal: AbortSignal
  },
): Promise<HopAnswer> {
  const { agent, clock, headersMs, idleMs, signal } = means
  const host = hop.url.hostname
  const timedOut = (): Error => httpTimeoutError.create({ host, what: 'the head of the response', limitMs: headersMs })
  const ending = new AbortController()
  const whole = AbortSignal.any([signal, ending.signal])
  const options = {
    origin: hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method as Dispatcher.HttpMethod,
    headers: { ...hop.headers, 'accept-encoding': acceptedEncodings },
    body: hop.body ?? null,
    signal: whole,
  }
  try {
    const answer = await withTimeLimit(() => agent.request(options), { limitMs: headersMs, signal, clock, timedOut })
    // A body that is ended early emits an error, which is expected.
    answer.body.on('error', () => undefined)
    return {
      status: answer.statusCode,
      headers: joinedHeaders(answer.headers),
      body: readBody(answer.body, { host, idleMs, clock, signal }),
      end: () => void answer.body.destroy(),
    }
  } catch (error) {
    ending.abort(error)
    signal.throwIfAborted()
    throw failureOf(error, host)
  }
}

async function* readBody(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  { host, idleMs, clock, signal }: { readonly host: string; readonly idleMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const timedOut = (): Error => httpTimeoutError.create({ host, what: 'a pause in the response', limitMs: idleMs })
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withTimeLimit(() => pieces.next(), { limitMs: idleMs, signal, clock, timedOut })
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, host)
  } finally {
    body.destroy()
  }
}

function joinedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
}

/**
 * The client's error for a failure. Its own errors stay as they are; no message contains an IP
 * address.
 */
function failureOf(error: unknown, host: string): Error {
  if (ServiceError.isInstance(error)) return error
  const { code = '', name = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const cause = { cause: error }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return httpResponseTooLargeError.create({ host, reason: 'its headers are too large.' }, cause)
  if (name === 'HTTPParserError' || code.startsWith('HPE_'))
    return httpResponseInvalidError.create({ host, reason: 'it is not valid HTTP.' }, cause)
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return httpResponseInvalidError.create({ host, reason: 'its body does not have the length of its Content-Length.' }, cause)
  return httpConnectionError.create({ host, reason: reasonOf(code) }, cause)
}

function reasonOf(code: string): string {
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return `its certificate is not valid (${code}).`
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'it did not accept the connection in time.'
    case 'ECONNREFUSED':
      return 'no server listens on this port.'
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return 'it closed the connection.'
    default:
      return code === '' ? 'it could not be reached.' : `it could not be reached (${code}).`
  }
}
