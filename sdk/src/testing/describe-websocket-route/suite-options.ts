import type { Principal } from '../../contracts/http-route/principal.js'
import type { WebSocketMessage, WebSocketRoute } from '../../contracts/websocket-route/route.js'
import type { JsonObject } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'

/** One connection that the suite makes. Examples must be safe to run again and again, and beside each other. */
export interface WebSocketRouteExample {
  /** Stands in the titles of the tests. */
  readonly title: string
  /** The path's parameters, as the handler gets them: converted. */
  readonly params?: JsonObject
  /** The query, as the handler gets it: converted, defaults filled in. */
  readonly query?: JsonObject
  /** Headers with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Who connects. Default: a user with every scope on routes that are not public, an administrator
   * on those of admins, no principal elsewhere.
   */
  readonly principal?: Principal
  /** What the client sends, in order. Default nothing. */
  readonly sends?: readonly WebSocketMessage[]
  /** How many messages the client waits for before it goes. Default 0. */
  readonly receives?: number
  /**
   * How the handler ends the connection by itself, before the client goes: with the code that it closes with (1000 where it only returns), or with an error
   * of this code. Absent: it is the client that goes.
   */
  readonly ends?: { readonly closeCode: number } | { readonly errorCode: string }
  /** Looks at what came beyond the contract. */
  check?(received: readonly WebSocketMessage[]): void
}

/** The options of `describeWebSocketRoute`. */
export interface WebSocketRouteSuiteOptions {
  /** Stands in the titles. Default: the path. */
  readonly name?: string
  /** Makes the route. Called for each test anew. */
  create(): WebSocketRoute
  /** At least one. */
  readonly examples: readonly WebSocketRouteExample[]
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that a handler may take to send what is expected, in milliseconds. Default 5,000. */
  readonly answerLimitMs?: number
  /** The longest that a handler may take to end when its connection has ended, in milliseconds. Default 2,000. */
  readonly endLimitMs?: number
}
