import type { Static, TObject, TSchema } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'
import type { AccessScope, AuthLevel } from '../http-route/access.js'
import type { Actor, Principal } from '../http-route/principal.js'

/** One message, either way. */
export type WebSocketMessage =
  /** A text frame that holds JSON; on routes with `kind: 'json'`, and only there. */
  | { readonly kind: 'json'; readonly json: JsonValue }
  /** A text frame; on routes with `kind: 'raw'`. */
  | { readonly kind: 'text'; readonly text: string }
  /** A binary frame; on routes with `kind: 'raw'`. */
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }

/** The messages of a route. */
export type WebSocketMessages<Inbound extends TSchema = TSchema, Outbound extends TSchema = TSchema> =
  | {
      readonly kind: 'json'
      /**
       * What clients send. A message that does not fit ends the connection with 1008 before the
       * handler sees it.
       */
      readonly inbound: Inbound
      /** What the handler sends, for the description and for the suite. */
      readonly outbound: Outbound
    }
  /** Text and binary frames as they are. */
  | { readonly kind: 'raw' }

/** The limits of a route. The host enforces them. */
export interface WebSocketLimits {
  /**
   * Of one message from a client. Beyond it the connection ends with 1009. Default 64 KiB, at most
   * 16 MiB, of JSON 1 MiB.
   */
  readonly maxMessageBytes?: number
  /**
   * From one client, pings included, with as many at once. Beyond it the connection ends with 1008.
   * Default 50, at most 10,000.
   */
  readonly maxMessagesPerSecond?: number
  /**
   * Of one user; of one client address if there is no user. Beyond it 429 `too_many_connections`.
   * Default 20, at most 10,000.
   */
  readonly maxConnectionsPerPrincipal?: number
  /** Of the route. Beyond it 503 `connections_exhausted`. Default 1,000, at most 10,000. */
  readonly maxConnections?: number
  /**
   * Without a message either way. Then the connection ends with 1008. Default 600, at most 86,400.
   */
  readonly maxIdleSeconds?: number
  /**
   * What may wait for a client, one message apart. A client for which more waits, or which has
   * taken no whole message for 30 s, is closed with 1008. A handler that waits for each `send` has
   * one message waiting at most. Default 1 MiB, at most 64 MiB.
   */
  readonly maxOutstandingBytes?: number
}

/** The request that asked for the connection, as plain data. */
export interface WebSocketRequest<Params = unknown, Search = unknown> {
  /** The decoded path. */
  readonly path: string
  /** The path's parameters, decoded once, converted and validated by the route's `params`. */
  readonly params: Params
  /**
   * The query, converted and validated by the route's `query`, its defaults filled in. A `token`
   * that came with it is left out.
   */
  readonly query: Search
  /** Lower-case names. Credentials are left out. */
  readonly headers: Readonly<Record<string, string>>
  /** The cookies that this plugin has set, by name; absent where there are none. */
  readonly cookies?: Readonly<Record<string, string>>
  /** The chosen one of the route's `subprotocols`; absent where the client offered none of them. */
  readonly subprotocol?: string
  /** Absent on public routes when no credential came. */
  readonly principal?: Principal
  /** The `X-Request-Id` of the answer, for logs. */
  readonly requestId: string
  /** The client's address; the forwarded one behind trusted proxies. */
  readonly address: string
  /**
   * The request was made on the machine of the service: the direct peer is loopback, `Host` is a
   * loopback name, no forwarding header is there, and neither `server.trusted_proxies` nor an
   * address of the service beyond this machine is configured. Code that allows more to local
   * callers decides by this alone.
   */
  readonly loopback: boolean
}

/** An open connection, as a handler has it. */
export interface WebSocketConnection<
  Params = unknown,
  Search = unknown,
  Inbound extends WebSocketMessage = WebSocketMessage,
  Outbound extends WebSocketMessage = WebSocketMessage,
> {
  /** What the client asked for. */
  readonly request: WebSocketRequest<Params, Search>
  /**
   * What the client sends, in order, to be read once. The host takes no more from the socket than
   * the handler reads. Ends, without an error, when the connection ends, whichever side ended it.
   */
  readonly messages: AsyncIterable<Inbound>
  /**
   * Sends a message. Resolves when the socket has taken it; messages leave in the order of the
   * calls.
   * @throws `connection_closed` when the connection has ended, a `TypeError` for a message of a
   * kind that the route does not have.
   */
  send(message: Outbound): Promise<void>
  /**
   * Ends the connection. Resolves when it has ended, at the latest a few seconds later. The code is
   * 1000 (the default), 1008, 1011, or 3000 to 4999; the reason has at most 123 bytes of UTF-8.
   * Does nothing when the connection has ended.
   */
  close(code?: number, reason?: string): Promise<void>
  /**
   * Aborted when the connection has ended: the client went, the credential ended, a limit was
   * passed, or the plugin stops.
   */
  readonly signal: AbortSignal
}

/**
 * A route that answers with a WebSocket, with everything that the host decides before the handler
 * runs.
 */
export interface WebSocketRoute extends Contribution {
  /** The generation of this contract that the route is written for. */
  readonly specVersion: 1
  /** `/api/plugins/chess/games/{game_id}`: literal segments and whole-segment parameters. */
  readonly path: string
  /** Unique among all routes, camelCase: the name in the OpenAPI description. */
  readonly operationId: string
  /** One line for the OpenAPI description. */
  readonly summary: string
  /** More for the OpenAPI description, CommonMark. */
  readonly description?: string
  /** Groups of the OpenAPI description. Default none. */
  readonly tags?: readonly string[]
  /**
   * Who may connect. Anyone else is refused with 401 or 403 before the upgrade. Credentials are
   * those of every route, and an access token as `?token=`. A page of a foreign origin is always
   * refused with 403 `cross_site_request`.
   */
  readonly auth: AuthLevel
  /**
   * The scope that a token needs. Default: `write`, `admin` on admin routes, nothing on public
   * ones.
   */
  readonly scope?: AccessScope
  /**
   * What else may connect for a user, besides the person and the person's own programs. Default:
   * nothing (403 `people_only`), also on a public route. Absent on the level `admin`.
   */
  readonly actors?: readonly Actor['kind'][]
  /**
   * The schema of the path's parameters. Text is converted to numbers and booleans by it. Default:
   * all of them are text.
   */
  readonly params?: TObject
  /**
   * The schema of the query. Default: no parameter is allowed. What does not fit is refused with
   * 422 before the upgrade.
   */
  readonly query?: TObject
  /**
   * The subprotocols (`Sec-WebSocket-Protocol`) that the route speaks, the preferred one first.
   * Default none.
   */
  readonly subprotocols?: readonly string[]
  /** Its messages. */
  readonly messages: WebSocketMessages
  /** Bounds. Each has a default. */
  readonly limits?: WebSocketLimits
  /**
   * Serves one connection, until it resolves; many may run at once. Then the connection is closed
   * with 1000. An error of the SDK below 500 closes it with 1008 and the error's code as the
   * reason, any other throw with 1011. It has to end soon after its signal was aborted.
   */
  handle(connection: WebSocketConnection): Promise<void>
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

type RawMessage = Exclude<WebSocketMessage, { readonly kind: 'json' }>
type InboundOf<Messages> = Messages extends { readonly kind: 'json'; readonly inbound: infer Schema extends TSchema }
  ? { readonly kind: 'json'; readonly json: Static<Schema> & JsonValue }
  : RawMessage
type OutboundOf<Messages> = Messages extends { readonly kind: 'json'; readonly outbound: infer Schema extends TSchema }
  ? { readonly kind: 'json'; readonly json: Static<Schema> & JsonValue }
  : RawMessage

/** The request behind a {@link TypedWebSocketConnection}. */
export interface TypedWebSocketRequest<in out Params extends TObject | undefined, in out Search extends TObject | undefined>
  extends WebSocketRequest {
  /** As {@link WebSocketRequest.params}. */
  readonly params: StaticOr<Params, Readonly<Record<string, never>>>
  /** As {@link WebSocketRequest.query}. */
  readonly query: StaticOr<Search, Readonly<Record<string, never>>>
}

/**
 * The connection of a route whose parameters, query and messages have the types of these schemas.
 * The annotations spare the compiler a comparison of all schemas that there could be.
 */
export interface TypedWebSocketConnection<
  in out Params extends TObject | undefined,
  in out Search extends TObject | undefined,
  in out Messages extends WebSocketMessages,
> extends WebSocketConnection {
  /** As {@link WebSocketConnection.request}. */
  readonly request: TypedWebSocketRequest<Params, Search>
  /** As {@link WebSocketConnection.messages}. */
  readonly messages: AsyncIterable<InboundOf<Messages>>
  /** As {@link WebSocketConnection.send}. */
  send(message: OutboundOf<Messages>): Promise<void>
}

/** How an author writes a route: `handle` is typed by the schemas. */
export interface WebSocketRouteDefinition<
  Params extends TObject | undefined,
  Search extends TObject | undefined,
  Messages extends WebSocketMessages,
> extends Omit<WebSocketRoute, 'specVersion' | 'params' | 'query' | 'messages' | 'handle'> {
  /** As {@link WebSocketRoute.params}; gives `request.params` its type. */
  readonly params?: Params
  /** As {@link WebSocketRoute.query}; gives `request.query` its type. */
  readonly query?: Search
  /** As {@link WebSocketRoute.messages}; gives `messages` and `send` their types. */
  readonly messages: Messages
  /** As {@link WebSocketRoute.handle}, with the types of the schemas. */
  handle(connection: TypedWebSocketConnection<Params, Search, Messages>): Promise<void>
}

/**
 * Makes a WebSocket route whose handler's parameters and messages have the types of its schemas.
 * What clients send was validated before.
 *
 * @example
 * defineWebSocketRoute({
 *   path: '/api/plugins/dice-table/play',
 *   operationId: 'diceTablePlay',
 *   summary: 'Rolls dice for each message',
 *   auth: 'user',
 *   messages: {
 *     kind: 'json',
 *     inbound: Type.Object({ sides: Type.Integer({ minimum: 2 }) }),
 *     outbound: Type.Object({ rolled: Type.Integer() }),
 *   },
 *   async handle({ messages, send }) {
 *     for await (const { json } of messages)
 *       await send({ kind: 'json', json: { rolled: Math.ceil(Math.random() * json.sides) } })
 *   },
 * })
 */
export function defineWebSocketRoute<
  const Messages extends WebSocketMessages,
  Params extends TObject | undefined = undefined,
  Search extends TObject | undefined = undefined,
>(definition: WebSocketRouteDefinition<Params, Search, Messages>): WebSocketRoute {
  const { handle, ...rest } = definition
  return Object.freeze({
    ...(rest as Omit<WebSocketRoute, 'specVersion' | 'handle'>),
    specVersion: 1,
    handle: (connection: WebSocketConnection) => handle(connection as Parameters<typeof handle>[0]),
  })
}
