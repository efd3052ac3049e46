import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { logExchange } from '../limits/access-log.js'
import type { AuthRateLimiter } from '../limits/auth-rate-limiter.js'
import { ClientGoneError, type Exchange } from '../request/exchange.js'
import type { OpenExchanges } from '../request/open-exchanges.js'
import { answerProblem, checkHost, limitAccountRoutes, readTarget, reasonOf } from '../request/pipeline.js'
import type { SiteMatch } from '../sites/site-table.js'
import type { SiteTunnels } from '../sites/site-tunnel.js'
import { asksForWebSocket } from '../websocket/check-handshake.js'
import type { WebSocketGateway } from '../websocket/websocket-gateway.js'
import { answerOnSocket } from './answer-on-socket.js'
import { passOnWithoutUpgrade } from './pass-on.js'

/** What takes over the connections that ask for something else than HTTP. */
export interface UpgradeReceiver {
  receive(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Breaks every connection that was taken over. */
  destroyAll(): void
}

/** What receiving upgrades needs. */
export interface UpgradeReceiverOptions {
  readonly server: () => Server
  readonly logger: Logger
  readonly clock: Clock
  /** Of a refusal. */
  readonly headers: Readonly<Record<string, string>>
  readonly siteHeaders: Readonly<Record<string, string>>
  readonly authRateLimiter: AuthRateLimiter
  readonly open: OpenExchanges
  readonly makeExchange: (request: IncomingMessage, response: ServerResponse) => Exchange
  readonly siteOf: (hostHeader: string | undefined) => SiteMatch | undefined
  readonly webSockets: WebSocketGateway
  readonly tunnels: SiteTunnels
  readonly finished: (exchange: Exchange, durationMs: number) => void
}

/** Makes the receiver. What asks for another protocol than WebSocket is answered as an ordinary request. */
export function createUpgradeReceiver(options: UpgradeReceiverOptions): UpgradeReceiver {
  const sockets = new Set<Duplex>()
  return {
    receive(request, socket, head) {
      const match = options.siteOf(request.headers.host)
      if (!asksForWebSocket(request) || (match?.site && !match.site.upgrade)) {
        passOnWithoutUpgrade(options.server(), request, socket, head)
        return
      }
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      const response = new ServerResponse(request)
      const exchange = options.makeExchange(request, response)
      socket.on('error', (error: Error) => options.logger.debug('A connection broke.', { error, request_id: exchange.requestId }))
      socket.once('close', () => exchange.controller.abort(new ClientGoneError('The client went away.')))
      void serve(options, { exchange, socket, head, match })
    },
    destroyAll() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Upgrade {
  readonly exchange: Exchange
  readonly socket: Duplex
  readonly head: Buffer
  readonly match: SiteMatch | undefined
}

async function serve(options: UpgradeReceiverOptions, { exchange, socket, head, match }: Upgrade): Promise<void> {
  const { open, clock, logger } = options
  const startedAt = clock.monotonic()
  open.add(exchange)
  try {
    checkHost(exchange)
    if (match) {
      await options.tunnels.open(exchange, match, socket, head)
    } else {
      const target = readTarget(exchange)
      limitAccountRoutes(exchange, target, options.authRateLimiter)
      if ('error' in target) throw target.error
      await options.webSockets.open(exchange, target, socket, head)
    }
  } catch (thrown) {
    const error = reasonOf(exchange, thrown)
    if (error instanceof ClientGoneError || exchange.response.statusCode === 101) socket.destroy()
    else await answerOnSocket(exchange, socket, match ? options.siteHeaders : options.headers, () => answerProblem(exchange, error, logger))
    if (!match) options.webSockets.refused(exchange)
  } finally {
    open.delete(exchange)
    const durationMs = clock.monotonic() - startedAt
    logExchange(logger, exchange, durationMs)
    options.finished(exchange, durationMs)
  }
}
