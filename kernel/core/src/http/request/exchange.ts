import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SiteMatch } from '../route-table.js'
import type { Client } from './client-address.js'
import type { RequestTarget } from './request-target.js'

/**
 * Why the service ends an exchange by itself. Clients of event streams read it in the closing
 * event.
 */
export type EndReason = 'credential_ended' | 'stopping' | 'draining' | 'restarting' | 'displaced'

/** The connection of a handshake; Node no longer manages it. */
export interface Transport {
  readonly socket: Duplex
  /** The bytes received after the head of the request. */
  readonly head: Buffer
}

/**
 * One request with its response: the state of koa's context, to which each middleware adds its
 * results.
 */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly method: string
  readonly client: Client
  /**
   * Aborts all work for this exchange: the client disconnected, or the service ends the exchange.
   */
  readonly controller: AbortController
  /** Undo what the request holds; called once, in reverse order, when it has been answered. */
  readonly releases: (() => void)[]
  /** Set once it has been parsed. */
  readonly target?: RequestTarget
  /** Set with the target: whether it belongs to a lenient protocol. */
  readonly lenient?: boolean
  /** Set once the path has been matched. */
  route: HttpRoute | undefined
  /** The claimed host that the request goes to instead of a route. */
  readonly site?: SiteMatch | undefined
  /** Only of a handshake. Its response has no socket yet. */
  readonly transport?: Transport | undefined
  /** For long-lived responses: ends them in good order, for example when the service drains. */
  closeEarly: ((reason: EndReason) => void) | undefined
  /** The code of the problem that answers it. */
  problemCode?: string
  /**
   * Called for event streams when the client has read something or has new data to read; `waits` is
   * whether unread data is left.
   */
  onProgress?: (waits: boolean) => void
}

/** The client disconnected, so there is no one to answer. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError'
}

/**
 * The service ended the exchange before it was answered: the credential ended, or the owner of the
 * route stopped.
 */
export class ExchangeEndedError extends Error {
  override readonly name = 'ExchangeEndedError'
  readonly reason: EndReason

  constructor(reason: EndReason) {
    super(`The service ended the exchange: ${reason}.`)
    this.reason = reason
  }
}

/** Whether the request announces a body. */
export const announcesBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
