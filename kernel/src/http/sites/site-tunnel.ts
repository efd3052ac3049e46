import type { Duplex } from 'node:stream'
import type { SiteHeaders, SiteResponse } from '@agent-service/sdk/contracts/http-site'
import type { Clock } from '@agent-service/sdk/services/clock'
import { endIteration, orGone } from '../answer/send-stream.js'
import { invalidHandshakeError, notReadyError } from '../errors.js'
import type { HttpLimits } from '../http-options.js'
import { ClientGoneError, type EndReason, type Exchange, GivenUpError } from '../request/exchange.js'
import { watchForEnd } from '../request/watch-for-end.js'
import { siteAnswerHeaders } from './site-headers.js'
import { type LeasedSite, leaseSite, siteRequestOf } from './site-request.js'
import type { SiteMatch } from './site-table.js'

/** Takes WebSocket handshakes of claimed hosts to their sites. */
export interface SiteTunnels {
  /** Resolves when the connection has ended, or was refused with what the site answered. Throws what is to be answered as a problem. */
  open(exchange: Exchange, match: SiteMatch, socket: Duplex, head: Buffer): Promise<void>
}

/** What tunnels need. */
export interface SiteTunnelsOptions {
  readonly clock: Clock
  readonly limits: Pick<HttpLimits, 'stalledReaderMs'>
  readonly draining: () => boolean
  /** Answers a handshake like an ordinary request, then closes the connection. */
  readonly refuse: (exchange: Exchange, socket: Duplex, answer: SiteResponse, ownerId: string) => Promise<void>
}

/** Makes the tunnels. Bytes go through as they are; each side is read no faster than the other takes. */
export function createSiteTunnels(options: SiteTunnelsOptions): SiteTunnels {
  return {
    async open(exchange, match, socket, head) {
      exchange.site = match.host
      if (options.draining()) throw notReadyError.create({ step: 'draining' }, { retryAfterSeconds: 2 })
      if (exchange.method !== 'GET') throw invalidHandshakeError.create({ reason: `its method is ${exchange.method}, not GET` })
      const leased = leaseSite(match)
      const end = (reason: EndReason): void => exchange.controller.abort(new GivenUpError(reason))
      exchange.closeEarly = end
      const stopWatching = watchForEnd(
        {
          clock: options.clock,
          signals: [
            { signal: leased.owner.stopping, reason: 'stopping' },
            { signal: leased.lease?.signal, reason: 'stopping' },
          ],
          expiresAt: undefined,
        },
        end,
      )
      try {
        await serve(options, { exchange, match, socket, head, leased })
      } finally {
        stopWatching()
        leased.lease?.release()
      }
    },
  }
}

interface Tunnel {
  readonly exchange: Exchange
  readonly match: SiteMatch
  readonly socket: Duplex
  readonly head: Buffer
  readonly leased: LeasedSite
}

async function serve(options: SiteTunnelsOptions, { exchange, match, socket, head, leased }: Tunnel): Promise<void> {
  const { signal } = exchange.controller
  const answer = leased.site.upgrade?.(siteRequestOf(exchange, match, received(socket, head, signal)))
  if (!answer) throw invalidHandshakeError.create({ reason: 'this host has no WebSockets' })
  const answered = await orGone(answer, signal)
  if (!('bytes' in answered)) return options.refuse(exchange, socket, answered, leased.owner.id)
  const iterator = answered.bytes[Symbol.asyncIterator]()
  try {
    signal.throwIfAborted()
    exchange.response.statusCode = 101
    socket.write(headOf(answered.headers, exchange.requestId))
    for (;;) {
      const result = await orGone(iterator.next(), signal)
      if (result.done) break
      if (!socket.write(result.value)) await drained(socket, options.limits.stalledReaderMs, signal)
    }
    await ended(socket, options.limits.stalledReaderMs)
  } finally {
    endIteration(iterator)
    exchange.controller.abort(new ClientGoneError('The connection has ended.'))
  }
}

/** What the client sends after its handshake; ends when it ends its side or the connection is over. */
async function* received(socket: Duplex, head: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head
  const source = socket.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const result = (await orGone(source.next(), signal)) as IteratorResult<Uint8Array>
      if (result.done) return
      yield result.value
    }
  } catch (error) {
    if (!signal.aborted && !socket.destroyed) throw error
  } finally {
    source.return?.()?.catch(() => undefined)
  }
}

/** @throws a `TypeError` for a header that would be more than one line. */
function headOf(headers: SiteHeaders, requestId: string): Buffer {
  const lines = siteAnswerHeaders(headers).map(([name, value]) => {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new TypeError(`The header “${name}” of the site's answer is not valid.`)
    return `${name}: ${value}`
  })
  const fixed = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket', `x-request-id: ${requestId}`]
  return Buffer.from(`${[...fixed, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Until the client has taken what was written, or the limit; then the connection is closed both ways. */
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

function drained(socket: Duplex, stalledMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let resume: () => void = () => undefined
  const taken = new Promise<void>((resolve, reject) => {
    resume = resolve
    timer = setTimeout(() => reject(new ClientGoneError('The client stopped reading.')), stalledMs)
    timer.unref()
    socket.once('drain', resume)
  })
  return orGone(taken, signal).finally(() => {
    clearTimeout(timer)
    socket.off('drain', resume)
  })
}
