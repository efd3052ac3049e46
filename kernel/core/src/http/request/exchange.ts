import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SiteMatch } from '../route-table.js'
import type { Client } from './client-address.js'

/** Why the service ends an exchange by itself. Clients of event streams read it in the closing event. */
export type EndReason = 'credential_ended' | 'stopping' | 'draining' | 'displaced'

/** A connection that a handshake asks for: it is no longer Node's. */
export interface Transport {
  readonly socket: Duplex
  /** What came behind the head of the request. */
  readonly head: Buffer
}

/** One request and its answer: the state of koa's context, to which each middleware adds what it found out. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly method: string
  readonly client: Client
  /** Ends everything that works for this exchange: the client is gone, or the service gives it up. */
  readonly controller: AbortController
  /** Known once the path has been matched. */
  route: HttpRoute | undefined
  /** The claimed host that the request goes to instead of a route. */
  readonly site?: SiteMatch | undefined
  /** Of a handshake. Its response has no socket yet. */
  readonly transport?: Transport | undefined
  /** For long-lived answers: what the service does to end them in good order when it drains. */
  closeEarly: ((reason: EndReason) => void) | undefined
  /** Called of a stream of events: the client has taken something or has begun to have something to take, and whether anything waits for it now. */
  onProgress?: (waits: boolean) => void
}

/** The client went away; there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** The service ended the exchange before it was answered: the credential ended, or the plugin that answers was stopped. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
  readonly reason: EndReason

  constructor(reason: EndReason) {
    super(`The service ended the exchange: ${reason}.`)
    this.reason = reason
  }
}

/** Whether the request announces a body. */
export const announcesBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
