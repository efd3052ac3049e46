import type { Principal } from '../../contracts/http-route/principal.js'
import type { WebSocketMessage, WebSocketRoute } from '../../contracts/websocket-route/route.js'
import type { JsonObject } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'

/**
 * One connection that the suite makes. Examples must be safe to run again and again, and beside
 * each other.
 */
export interface WebSocketRouteExample {
  /** Part of the tests' titles. */
  readonly title: string
  /** The path parameters after conversion, as the handler gets them. */
  readonly params?: JsonObject
  /** The query as the handler gets it: converted, with defaults. */
  readonly query?: JsonObject
  /** Headers with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The principal. Default: a user with every scope on routes that are not public, an administrator
   * on those of admins, no principal elsewhere.
   */
  readonly principal?: Principal
  /** What the client sends, in order. Default nothing. */
  readonly sends?: readonly WebSocketMessage[]
  /** How many messages the client waits for before it disconnects. Default 0. */
  readonly receives?: number
  /**
   * How the handler ends the connection before the client disconnects: with its close code (1000 if
   * it only returns), or with an error of this code. Absent: the client disconnects.
   */
  readonly ends?: { readonly closeCode: number } | { readonly errorCode: string }
  /** Further checks of the received messages. */
  check?(received: readonly WebSocketMessage[]): void
}

/** A route of which the suite can see what it holds for its clients. */
export interface WebSocketRouteUnderTest {
  /** The route, with data of its own. */
  readonly route: WebSocketRoute
  /** Stores what the examples read. Awaited before the first connection. */
  fill?(): Promise<void>
  /**
   * Makes something happen that the route tells its clients by itself: a move, a message. A client of the first
   * example has to hear of it, and none of the stranger. Default: not checked. Not applicable: clients
   * hear only of what clients send.
   */
  readonly change?: (() => Promise<void>) | NotApplicable
  /**
   * How much the route holds for its clients: listeners, places in a room, timers. It has to be as before
   * when a connection has ended; leave out what is opened once and used by all. Default: not checked. Not applicable: there is nothing that a client
   * could leave behind.
   */
  readonly held?: (() => number) | NotApplicable
  /** Closes what {@link WebSocketRouteSuiteOptions.create} opened. */
  close?(): Promise<void>
}

/** The options of `describeWebSocketRoute`. */
export interface WebSocketRouteSuiteOptions {
  /** Part of the titles. Default: the path. */
  readonly name?: string
  /** Makes the route; with what it holds, if the suite shall see that. Called for each test. */
  create(): WebSocketRoute | WebSocketRouteUnderTest
  /** At least one. */
  readonly examples: readonly WebSocketRouteExample[]
  /**
   * A user who owns nothing of the examples, for a route with messages that belong to one: they must be
   * refused, or get other messages, and none of those that go to the user at the same time. Default: not
   * tested. Not applicable: all users get the same.
   */
  readonly stranger?: Principal | NotApplicable
  /**
   * Texts of the user of the examples, such as the words of a chat: no message to the stranger has one.
   * With them the messages to the stranger may otherwise be the same. Default: they have to differ.
   */
  readonly withheld?: readonly string[]
  /**
   * Texts that no message, no error and no close reason may have: keys, passwords, tokens of others.
   * Default: not checked. `[]` if the route has none.
   */
  readonly secrets?: readonly string[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for sending the expected messages, in milliseconds. Default 5,000. */
  readonly answerLimitMs?: number
  /**
   * The limit for the handler's end after its connection has ended, in milliseconds. Default 2,000.
   */
  readonly endLimitMs?: number
}
