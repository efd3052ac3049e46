import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, ServerSentEvent } from '../../contracts/http-route/route.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'

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

/** A route whose data the suite can see. */
export interface HttpRouteUnderTest {
  /** The route, with data of its own. */
  readonly route: HttpRoute
  /** Stores what the examples read. Awaited before the first request. */
  fill?(): Promise<void>
  /**
   * What the user of the examples has: the entries of a list, the runs that were started. Plain data,
   * without what differs by itself, such as ids and times, and without anything of other users. One
   * example of a route that changes something has to change it. Default: what requests change is not
   * checked. Not applicable: they change nothing but what the answer shows.
   */
  readonly state?: (() => JsonValue | Promise<JsonValue>) | NotApplicable
  /**
   * Makes something happen that a stream reports to the user of the examples: a message, an entry. It has to
   * reach the user’s open streams, and none of the stranger. Default: not checked. Not applicable: the
   * streams of the route report nothing that happens meanwhile.
   */
  readonly change?: (() => Promise<void>) | NotApplicable
  /**
   * How much the route holds for its clients: listeners, subscriptions, open files. It has to be as
   * before when a request has ended; leave out what is opened once and used by all. Default: not checked. Not applicable: there is nothing that a
   * client could leave behind.
   */
  readonly held?: (() => number) | NotApplicable
  /** Closes what {@link HttpRouteSuiteOptions.create} opened. */
  close?(): Promise<void>
}

/** The options of `describeHttpRoute`. */
export interface HttpRouteSuiteOptions {
  /** Part of the titles. Default: method and path. */
  readonly name?: string
  /** Makes the route; with its state, if the suite shall see what requests change. Called for each test. */
  create(): HttpRoute | HttpRouteUnderTest
  /** At least one. */
  readonly examples: readonly HttpRouteExample[]
  /**
   * A user who owns nothing of the examples, for a route that answers with data of users: they must be
   * refused, or get another answer, and change nothing. Default: not tested. Not applicable: all users
   * get the same, and nothing of it belongs to one of them.
   */
  readonly stranger?: Principal | NotApplicable
  /**
   * Texts of the user of the examples, such as the words of a note: no answer to the stranger has one,
   * and no problem. With them an answer to the stranger may otherwise be the same. Default: the answers
   * have to differ.
   */
  readonly withheld?: readonly string[]
  /**
   * Texts that no answer and no problem may have: keys, passwords, tokens of others. Default: not
   * checked. `[]` if the route has none.
   */
  readonly secrets?: readonly string[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted request, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
  /** How long a stream may pause before the suite aborts it, in milliseconds. Default 100. */
  readonly quietMs?: number
}
