import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, ServerSentEvent } from '../../contracts/http-route/route.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'

/** A route's answer, read to its end. An endless stream is read until its abort. */
export interface SuiteAnswer {
  /** The status of the answer. */
  readonly status: number
  /** Its headers, as the handler gave them. */
  readonly headers: Readonly<Record<string, string>>
  /** Of a JSON answer. */
  readonly json?: JsonValue
  /** Of an answer of bytes, or of a stream of them. */
  readonly bytes?: Uint8Array
  /** Of a stream of server-sent events. */
  readonly events?: readonly ServerSentEvent[]
}

/** One request that the suite makes. Examples must be safe to run again and again. */
export interface HttpRouteExample {
  /** Part of the tests' titles. */
  readonly title: string
  /** The path parameters after conversion, as the handler gets them. */
  readonly params?: JsonObject
  /** The query as the handler gets it: converted, with defaults. */
  readonly query?: JsonObject
  /** Headers with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Cookies of the plugin's own. */
  readonly cookies?: Readonly<Record<string, string>>
  /** Of a route with a JSON body. */
  readonly body?: JsonValue
  /** Of a route with a streamed body: its pieces. */
  readonly bytes?: readonly Uint8Array[]
  /**
   * The principal. Default: a user with every scope on routes that are not public, an administrator
   * on those of admins, no principal elsewhere.
   */
  readonly principal?: Principal
  /** The status of the answer, or of the problem. */
  readonly status: number
  /** The code of the problem that the request is refused with. Absent: it is answered. */
  readonly code?: string
  /** Further checks of the answer. Not called for a refusal. */
  check?(answer: SuiteAnswer): void
}

/** The options of `describeHttpRoute`. */
export interface HttpRouteSuiteOptions {
  /** Part of the titles. Default: method and path. */
  readonly name?: string
  /** Makes the route. Called for each test. */
  create(): HttpRoute
  /** At least one. */
  readonly examples: readonly HttpRouteExample[]
  /**
   * A user who owns nothing of the examples, for a route that answers with data of users: they must be
   * refused, or get another answer. Default: not tested.
   */
  readonly stranger?: Principal
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted request, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
  /** How long a stream may pause before the suite aborts it, in milliseconds. Default 100. */
  readonly quietMs?: number
}
