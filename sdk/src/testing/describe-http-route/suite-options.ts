import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, ServerSentEvent } from '../../contracts/http-route/route.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'

/** What a route answered, read to its end; of a stream that has none, what came until it was left. */
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
  /** Stands in the titles of the tests. */
  readonly title: string
  /** The path's parameters, as the handler gets them: converted. */
  readonly params?: JsonObject
  /** The query, as the handler gets it: converted, defaults filled in. */
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
   * Who calls. Default: a user with every scope on routes that are not public, an administrator on
   * those of admins, no principal elsewhere.
   */
  readonly principal?: Principal
  /** The status of the answer, or of the problem. */
  readonly status: number
  /** The code of the problem that the request is refused with. Absent: it is answered. */
  readonly code?: string
  /** Looks at the answer beyond what the route declares. Not called for a refusal. */
  check?(answer: SuiteAnswer): void
}

/** The options of `describeHttpRoute`. */
export interface HttpRouteSuiteOptions {
  /** Stands in the titles. Default: method and path. */
  readonly name?: string
  /** Makes the route. Called for each test anew. */
  create(): HttpRoute
  /** At least one. */
  readonly examples: readonly HttpRouteExample[]
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted request may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
  /** How long a stream may give nothing before the suite leaves it, in milliseconds. Default 100. */
  readonly quietMs?: number
}
