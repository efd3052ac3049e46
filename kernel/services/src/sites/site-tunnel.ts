import type { Duplex } from 'node:stream'
import { endIteration, waitForDrain, whileConnected } from '@agent-service/kernel-core/http/answer'
import { ClientDisconnectedError, type Exchange, type Transport } from '@agent-service/kernel-core/http/request'
import type { HttpSite, SiteHeaders, SiteResponse } from '@agent-service/sdk/contracts/http-site'
import { siteAnswerHeaders } from './site-headers.js'

/**
 * Connects the client of a handshake with its site, if the site accepts it: bytes are forwarded
 * unchanged, and each side is read no faster than the other reads. Resolves when the connection has
 * ended, or with the site's refusal.
 */
export async function openTunnel(
  exchange: Exchange,
  socket: Duplex,
  answer: ReturnType<NonNullable<HttpSite['upgrade']>>,
  maxStalledMs: number,
): Promise<SiteResponse | undefined> {
  const { signal } = exchange.controller
  const answered = await whileConnected(answer, signal)
  if (!('bytes' in answered)) return answered
  const iterator = answered.bytes[Symbol.asyncIterator]()
  try {
    signal.throwIfAborted()
    exchange.response.statusCode = 101
    socket.write(headOf(answered.headers, exchange.requestId))
    for (;;) {
      const result = await whileConnected(iterator.next(), signal)
      if (result.done) break
      if (!socket.write(result.value)) await waitForDrain(socket, { maxStalledMs, signal })
    }
    await ended(socket, maxStalledMs)
    return undefined
  } finally {
    endIteration(iterator)
    exchange.controller.abort(new ClientDisconnectedError('The connection has ended.'))
  }
}

/**
 * The bytes that the client sends after its handshake; ends with its side or with the connection.
 */
export async function* receivedBytes({ socket, head }: Transport, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head
  const source = socket.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const result = (await whileConnected(source.next(), signal)) as IteratorResult<Uint8Array>
      if (result.done) return
      yield result.value
    }
  } catch (error) {
    if (!signal.aborted && !socket.destroyed) throw error
  } finally {
    source.return?.()?.catch(() => undefined)
  }
}

/** @throws a `TypeError` if a header is not valid on one line */
function headOf(headers: SiteHeaders, requestId: string): Buffer {
  const lines = siteAnswerHeaders(headers).map(([name, value]) => {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new TypeError(`The header “${name}” of the site's response is not valid.`)
    return `${name}: ${value}`
  })
  const fixed = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket', `x-request-id: ${requestId}`]
  return Buffer.from(`${[...fixed, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Waits until the client has read everything, or until the limit; then the connection is closed in
 * both directions.
 */
function ended(socket: Duplex, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), limitMs)
    timer.unref()
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    if (socket.destroyed) resolve()
    socket.end(() => socket.destroy())
  })
}
