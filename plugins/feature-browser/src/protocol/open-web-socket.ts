import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { signalWithin } from '@agent-service/sdk/async'
import type WebSocket from 'ws'
import { browserUnavailableError } from '../common/errors.js'
import { limits } from '../common/limits.js'

/** Where to connect to. */
export interface WebSocketPlace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Host and port, for people: the whole address may have a token. */
  readonly shown: string
}

/** Opens a WebSocket within the limit. @throws `browser_unavailable`, the reason of the signal. */
export async function openWebSocket(
  { url, headers, shown }: WebSocketPlace,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<WebSocket> {
  const { default: Socket } = await import('ws')
  signal.throwIfAborted()
  const options = {
    headers,
    maxPayload: limits.maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: limitMs,
  }
  const socket = new Socket(url, options)
  // Another listener follows with the connection; this one outlives an attempt that failed.
  socket.on('error', () => undefined)
  const refused = once(socket, 'unexpected-response').then(([, response]) => response as IncomingMessage)
  const limited = signalWithin(limitMs, signal)
  refused.catch(() => undefined)
  try {
    const response = await Promise.race([once(socket, 'open', { signal: limited }).then(() => undefined), refused])
    if (response === undefined) return socket
    response.resume()
    throw browserUnavailableError.create({ reason: refusalOf(shown, response.statusCode ?? 0) })
  } catch (error) {
    socket.terminate()
    signal.throwIfAborted()
    if (browserUnavailableError.isInstance(error)) throw error
    const reason = limited.aborted ? `${shown} did not answer within ${limitMs} ms.` : `${shown} cannot be reached (${codeOf(error)}).`
    throw browserUnavailableError.create({ reason }, { cause: error })
  }
}

/** What a refused handshake means. */
export function refusalOf(shown: string, status: number): string {
  if (status === 401 || status === 403)
    return `${shown} refused the token (${status}). Set the service’s token in browser.ws_url (?token=…) or browser.api_token.`
  if (status === 429 || status === 503) return `${shown} has no place for another browser (${status}). Try again later.`
  if (status === 404) return `${shown} has no browser at this path (404). Check browser.ws_url.`
  return `${shown} answered with the status ${status} instead of opening a WebSocket.`
}

/** `ECONNREFUSED`, or in words. */
export const codeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : 'no connection'
}
