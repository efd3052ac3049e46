import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Client } from './client-address.js'

/** Why the service ends an exchange by itself. Clients of event streams read it in the closing event. */
export type EndReason = 'credential_ended' | 'stopping' | 'draining' | 'displaced'

/** One request and its answer, as the stages of the dispatch pass it on. */
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
  /** The host, where the request goes to a site and not to a route. */
  site?: string
  /** For long-lived answers: what the service does to end them in good order when it drains. */
  closeEarly: ((reason: EndReason) => void) | undefined
  /** Told of a stream of events: the client has taken something or has begun to have something to take, and whether anything waits for it now. */
  onProgress?: (waits: boolean) => void
}

/** The client went away; there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** The service ended the exchange before it was answered: the credential ended, or whoever answers was stopped. */
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
