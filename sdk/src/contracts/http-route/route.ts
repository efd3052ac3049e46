import type { Static, TObject, TSchema } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'
import type { AccessScope, AuthLevel } from './access.js'
import type { Actor, Principal } from './principal.js'

/** The methods that a route may have. `HEAD` and `OPTIONS` are answered by the host. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `expensive`: message posts, uploads and model calls share a window of 1,200 a minute for each
 * principal.
 */
export type RateClass = 'none' | 'expensive'

/** What a route does with the request's body. */
export type RouteBody =
  | {
      readonly kind: 'json'
      readonly schema: TSchema
      /** In bytes; default 1 MiB, never above `server.max_body_size_bytes`. */
      readonly limit?: number
      /**
       * What becomes of a text with half a surrogate pair, which JSON can write and nothing can
       * store: 422 with its path, or U+FFFD in its place. `repair` suits texts that programs cut
       * anywhere, or that other services have written. Default `refuse`.
       */
      readonly illFormedTexts?: 'refuse' | 'repair'
      /** For the OpenAPI description. Default: made from the `examples` of the schema. */
      readonly example?: JsonValue
    }
  | {
      readonly kind: 'stream'
      readonly contentTypes: readonly string[]
      readonly limit: number
      /** For the OpenAPI description, if the bytes can be text. */
      readonly example?: string
    }

/** An error that a route may be answered with. Each `ErrorDefinition` is one. */
export interface RouteError {
  /** Stable, snake_case. */
  readonly code: string
  /** From 400 up. */
  readonly status: number
}

/** One documented answer. */
export interface RouteAnswer {
  /** One sentence for the OpenAPI description. */
  readonly description: string
  /** Of a JSON answer. */
  readonly schema?: TSchema
  /**
   * Of another answer: `text/event-stream`, `application/octet-stream`. With a schema too, the
   * route answers with one or the other.
   */
  readonly contentType?: string
  /**
   * For the OpenAPI description. Default: made from the `examples` of the schema. Text for a
   * `contentType`.
   */
  readonly example?: JsonValue
}

/** What a handler gets: plain data, a signal and, for a streamed body, its bytes. */
export interface RouteRequest<Params = unknown, Search = unknown, Body = unknown> {
  /** The route's own method. */
  readonly method: HttpMethod
  /** The decoded path. */
  readonly path: string
  /** Path and query, byte for byte as they were sent. Only on routes with {@link HttpRoute.foreign}. */
  readonly rawTarget?: string
  /** The path's parameters, decoded once, converted and validated by the route's `params`. */
  readonly params: Params
  /**
   * The query, converted and validated by the route's `query`, its defaults filled in. A repeated
   * parameter is a list where the schema says so.
   */
  readonly query: Search
  /** Lower-case names. Credentials are left out, but for `authorization` on routes with {@link HttpRoute.foreign}. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The cookies that this plugin has set ({@link RouteCookie}), by name; absent where there are
   * none. They never include those of others.
   */
  readonly cookies?: Readonly<Record<string, string>>
  /** The validated body; `undefined` for routes without one. */
  readonly body: Body
  /**
   * The bytes of a streamed body, to be read once; absent on other routes. Reading ends with
   * `body_too_large` beyond the limit, and with an error when the client goes away.
   */
  readonly bodyStream?: AsyncIterable<Uint8Array>
  /** Absent on public routes when no credential came. */
  readonly principal?: Principal
  /** The `X-Request-Id` of the answer: for logs and for questions about what happened. */
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
  /** Aborted when the client goes away, the principal's credential ends, or the plugin stops. */
  readonly signal: AbortSignal
}

/** One server-sent event, or a comment that keeps the connection awake. */
export type ServerSentEvent =
  | { readonly id?: string; readonly event?: string; readonly data: string; readonly retry?: number }
  | { readonly comment: string }

/**
 * A cookie of the plugin's own. In the browser its name begins with the plugin's id and a dot, so
 * that plugins cannot reach each other's, and none the service's. Always `HttpOnly; Secure;
 * SameSite=Lax`.
 */
export interface RouteCookie {
  /** 1 to 64 letters, digits, `-` and `_`. */
  readonly name: string
  /** Visible ASCII without quotes, commas, semicolons and backslashes. */
  readonly value: string
  /** The path below which the browser sends it; begins with `/`. */
  readonly path: string
  /** How long the browser keeps it, in seconds; 0 deletes it. */
  readonly maxAgeSeconds: number
}

/** A handler's answer. */
export type RouteResponse = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Cookies of the plugin to set or delete. Not part of the answer that an `Idempotency-Key`
   * repeats.
   */
  readonly cookies?: readonly RouteCookie[]
} & (
  | {
      readonly kind: 'json'
      readonly json: JsonValue
      /**
       * Sent compressed to clients that take it, if it is long. For answers in which nothing is secret: the length of a compressed
       * answer tells who watches the line what is in it twice. Default: false.
       */
      readonly compress?: boolean
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array }
  /**
   * The host writes the bytes as the client reads them and ends the iteration by `return()`, even
   * if nothing was read, as for `HEAD`. `length`, if it is known, becomes `Content-Length`: a
   * stream that gives another number of bytes breaks the connection.
   */
  | { readonly kind: 'stream'; readonly contentType: string; readonly stream: AsyncIterable<Uint8Array>; readonly length?: number }
  /**
   * Server-sent events. The host writes them with back-pressure, drops a client that does not read,
   * and ends the iteration by `return()` when the client goes.
   */
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerSentEvent> }
)

/** A route, with everything that the host decides before the handler runs. */
export interface HttpRoute extends Contribution {
  /** The generation of this contract that the route is written for. */
  readonly specVersion: 1
  /** One method; a path with several methods has one route for each. */
  readonly method: HttpMethod
  /** `/api/chats/{chat_id}/messages`: literal segments and whole-segment parameters. */
  readonly path: string
  /**
   * Unique, camelCase: the name in the OpenAPI description. That of a third party begins with its
   * plugin's id: `toolDiceListRolls`.
   */
  readonly operationId: string
  /** One line for the OpenAPI description. */
  readonly summary: string
  /** More for the OpenAPI description, CommonMark. */
  readonly description?: string
  /** Groups of the OpenAPI description. Default none. */
  readonly tags?: readonly string[]
  /** Who may call. Anyone else is refused with 401 or 403 before the body is looked at. */
  readonly auth: AuthLevel
  /**
   * The scope that a token needs. Default: by method and level, as {@link AccessScope} says;
   * nothing on public routes. A list where the body decides: a token comes in with any one of them,
   * and the handler asks for what this body needs (`requireScopes`).
   */
  readonly scope?: AccessScope | readonly AccessScope[]
  /**
   * What else may call for a user, besides the person and the person's own programs. Default:
   * nothing (403 `people_only`), also on a public route. Absent on routes of the level `admin` and
   * on `session` and `confirmed` ones, which are for people alone, and on `foreign` ones. A route
   * that lets an agent work, or another agent, names none: agents reach each other by the tool
   * `delegate`, which keeps what is closed to the one that asks.
   */
  readonly actors?: readonly Actor['kind'][]
  /**
   * Operations that a call amounts to, by their ids: regenerating an answer includes
   * `createMessage`. A policy that forbids one of them forbids this route, and so does an unknown
   * one. Default none.
   */
  readonly includes?: readonly string[]
  /**
   * Only for a person who has signed in: tokens are refused with 403 `session_required`. Default
   * false; `confirmed` says it too.
   */
  readonly session?: boolean
  /**
   * Only for a session that has confirmed who it is (`POST /api/auth/confirm`) within five minutes:
   * 403 `confirmation_required`. Default false.
   */
  readonly confirmed?: boolean
  /**
   * Whether a call may change something. Default: every method but GET. Every call of an
   * administrator's operation that does is in the audit log: as what its handler notes while it
   * runs, otherwise by operation, path parameters and status.
   */
  readonly changes?: boolean
  /** Which window calls count against. Default `none`. */
  readonly rateClass?: RateClass
  /**
   * A long-lived stream of events: accepts the access token as `?token=`, ends with the credential,
   * and asks clients to reconnect when the service stops.
   */
  readonly streaming?: boolean
  /**
   * A GET that its owner may share: accepts a pre-signed URL, whose parameter `presign` stands for
   * the owner with the scope `read`. Only for routes of the level `user` that change nothing.
   */
  readonly presignable?: boolean
  /** A POST that starts work: accepts `Idempotency-Key`. */
  readonly idempotent?: boolean
  /**
   * Further headers of the answer to `OPTIONS` for the path, with lower-case names, where a protocol
   * asks for them. Default none.
   */
  readonly optionsHeaders?: Readonly<Record<string, string>>
  /**
   * The schema of the path's parameters. Text is converted to numbers and booleans by it. Default:
   * all of them are text.
   */
  readonly params?: TObject
  /**
   * Whether parameters of the path may have encoded slashes (`%2F`), for clients that encode them.
   * Default: such a path is refused with 400, as everything that programs read differently.
   */
  readonly encodedSlashes?: boolean
  /**
   * Whether programs elsewhere call it that know nothing of the service, as webhooks of vendors do.
   * Nothing that they send is a credential of the service: the handler gets `authorization` with the
   * other headers, and {@link RouteRequest.rawTarget}. The query is not read, and a streamed body may be of any type
   * and encoding, or say none. Only with `auth: 'public'` and without `query`. Default false.
   */
  readonly foreign?: boolean
  /**
   * The schema of the query. Default: no parameter is allowed. What does not fit is refused with
   * 422.
   */
  readonly query?: TObject
  /** What the route reads. Default: nothing, and a body is ignored. */
  readonly body?: RouteBody
  /**
   * The errors of its handler that a client should know of, for the OpenAPI description. Those that
   * the host answers with need no entry: of credentials and rights, of the path, the query, the
   * body and the limits. A failure of another system (502, 504), or any other above 500 but 503 and
   * 507, is shown to the client only if it is listed here; else it is answered as an internal error.
   * Default none.
   */
  readonly errors?: readonly RouteError[]
  /** By status. Errors are `application/problem+json` and need no entry. */
  readonly answers: Readonly<Record<number, RouteAnswer>>
  /**
   * Answers one request; many may run at once. An error of the SDK becomes a problem with its
   * status and code, any other throw 500 without its text.
   */
  handle(request: RouteRequest): Promise<RouteResponse>
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

/**
 * The request of a route whose parameters, query and body have the types of these schemas. The
 * annotations spare the compiler a comparison of all schemas that there could be.
 */
export interface TypedRouteRequest<
  in out Params extends TObject | undefined,
  in out Search extends TObject | undefined,
  in out Body extends TSchema | undefined,
> extends RouteRequest {
  /** As {@link RouteRequest.params}. */
  readonly params: StaticOr<Params, Readonly<Record<string, never>>>
  /** As {@link RouteRequest.query}. */
  readonly query: StaticOr<Search, Readonly<Record<string, never>>>
  /** As {@link RouteRequest.body}. */
  readonly body: StaticOr<Body, undefined>
}

/** How an author writes a route: `handle` is typed by the schemas. */
export interface RouteDefinition<Params extends TObject | undefined, Search extends TObject | undefined, Body extends TSchema | undefined>
  extends Omit<HttpRoute, 'specVersion' | 'params' | 'query' | 'body' | 'handle'> {
  /** As {@link HttpRoute.params}; gives `request.params` its type. */
  readonly params?: Params
  /** As {@link HttpRoute.query}; gives `request.query` its type. */
  readonly query?: Search
  /** As {@link HttpRoute.body}; the schema of a JSON body gives `request.body` its type. */
  readonly body?: Body extends TSchema
    ? {
        readonly kind: 'json'
        readonly schema: Body
        readonly limit?: number
        readonly illFormedTexts?: 'refuse' | 'repair'
        readonly example?: JsonValue
      }
    : RouteBody
  /** As {@link HttpRoute.handle}, with the types of the schemas. */
  handle(request: TypedRouteRequest<Params, Search, Body>): Promise<RouteResponse>
}

/**
 * Makes a route whose handler's `params`, `query` and `body` have the types of its schemas. They
 * were validated before it runs.
 *
 * @example
 * defineRoute({
 *   method: 'GET',
 *   path: '/api/plugins/tool-dice/rolls/{count}',
 *   operationId: 'toolDiceRoll',
 *   summary: 'Rolls dice',
 *   auth: 'user',
 *   params: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100 }) }),
 *   answers: { 200: { description: 'The dice.', schema: Type.Array(Type.Integer()) } },
 *   async handle({ params }) {
 *     return ok(Array.from({ length: params.count }, () => Math.ceil(Math.random() * 6)))
 *   },
 * })
 */
export function defineRoute<
  Params extends TObject | undefined = undefined,
  Search extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(definition: RouteDefinition<Params, Search, Body>): HttpRoute {
  const { handle, ...rest } = definition
  return Object.freeze({
    ...(rest as Omit<HttpRoute, 'specVersion' | 'handle'>),
    specVersion: 1,
    handle: (request: RouteRequest) => handle(request as Parameters<typeof handle>[0]),
  })
}
