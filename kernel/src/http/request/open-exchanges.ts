import type { Duplex } from 'node:stream'
import type { EndReason, Exchange } from './exchange.js'

/** The exchanges that are under way. */
export interface OpenExchanges {
  add(exchange: Exchange): void
  delete(exchange: Exchange): void
  /** The exchanges whose answers are being made or written on this connection, oldest first. */
  on(socket: Duplex): readonly Exchange[]
  /** Makes every answer that has not begun the last one of its connection. */
  closeConnections(): void
  /** Tells the long-lived answers of routes that are made for it, WebSockets and what goes through sites to end in good order. */
  closeEarly(reason: EndReason): void
  /** Resolves when none is left, or after the limit. */
  waitUntilEmpty(limitMs: number): Promise<void>
  abortAll(reason: Error): void
  counts(): { readonly requests: number; readonly streams: number }
}

/** Makes an empty set. */
export function createOpenExchanges(): OpenExchanges {
  const exchanges = new Set<Exchange>()
  const waiting = new Set<() => void>()
  return {
    add(exchange) {
      exchanges.add(exchange)
    },
    delete(exchange) {
      if (exchanges.delete(exchange) && exchanges.size === 0) for (const done of waiting) done()
    },
    on: (socket) => [...exchanges].filter(({ request }) => request.socket === socket),
    closeConnections() {
      for (const { response } of exchanges) if (!response.headersSent) response.setHeader('connection', 'close')
    },
    closeEarly(reason) {
      for (const exchange of exchanges) if (!exchange.route || exchange.route.streaming) exchange.closeEarly?.(reason)
    },
    waitUntilEmpty(limitMs) {
      if (exchanges.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          waiting.delete(done)
          resolve()
        }
        const timer = setTimeout(done, limitMs)
        waiting.add(done)
      })
    },
    abortAll(reason) {
      for (const exchange of exchanges) exchange.controller.abort(reason)
    },
    counts: () => ({
      requests: exchanges.size,
      streams: [...exchanges].filter(({ closeEarly, response }) => closeEarly && response.statusCode !== 101).length,
    }),
  }
}
