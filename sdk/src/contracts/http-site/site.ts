import type { Contribution } from '../../core/contribution-point.js'

/** Headers in their order, with lower-case names; a name may come several times. */
export type SiteHeaders = readonly (readonly [name: string, value: string])[]

/**
 * A request to a site: plain data, a signal, and bytes. It has no principal: the service's
 * credentials are not looked at on foreign hosts.
 */
export interface SiteRequest {
  /** As it came: `GET`, `HEAD`, `OPTIONS`, `PROPFIND`, … */
  readonly method: string
  /** The host name that was asked for, in lower case and without the port: `notes.localhost`. */
  readonly host: string
  /** What stands for the `*` of a pattern: `notes`. Absent for an exact name. */
  readonly label?: string
  /** Path and query as they came, not decoded; begins with `/`. */
  readonly target: string
  /**
   * As they came, but for what belongs to the connection, and for credentials of this service: the
   * cookie `refresh_token`, and its tokens in `Authorization`.
   */
  readonly headers: SiteHeaders
  /**
   * To be read once. Ends with `body_too_large` beyond `server.max_body_size_bytes`. Empty if the
   * request has no body.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** The `X-Request-Id` of the answer, for logs. */
  readonly requestId: string
  /** The client's address; the forwarded one behind trusted proxies. */
  readonly address: string
  /** Aborted when the client goes away or the plugin stops. */
  readonly signal: AbortSignal
}

/**
 * An answer. Headers of the connection are left out, as are those by which one host reaches beyond
 * itself: `Domain` of cookies, `Clear-Site-Data`, `Alt-Svc`.
 */
export interface SiteResponse {
  /** 200 to 599. */
  readonly status: number
  /** A `content-length` among them is enforced: a body of another length breaks the connection. */
  readonly headers: SiteHeaders
  /**
   * The host writes it as the client reads it, and ends the iteration by `return()`. Default: no
   * body.
   */
  readonly body?: AsyncIterable<Uint8Array>
}

/** The answer to an upgrade: a refusal, or 101 and the bytes that follow. */
export type SiteUpgradeResponse =
  | SiteResponse
  | {
      readonly status: 101
      /** `sec-websocket-accept` and the like. `Connection` and `Upgrade` are added. */
      readonly headers: SiteHeaders
      /** The bytes for the client, written as it reads them. The connection ends with them. */
      readonly bytes: AsyncIterable<Uint8Array>
    }

/** A host name, or a pattern of them, with what answers there. */
export interface HttpSite extends Contribution {
  /** The generation of this contract that the site is written for. */
  readonly specVersion: 1
  /**
   * A name (`docs.localhost`), or a pattern whose first label is `*` and stands for exactly one
   * label (`*.apps.localhost`). Lower case, no port.
   */
  readonly host: string
  /**
   * Answers one request of any method and path; many may run at once. A throw is answered as an
   * error of the service, without its text.
   */
  handle(request: SiteRequest): Promise<SiteResponse>
  /**
   * Answers a WebSocket handshake. After 101, `request.body` has the raw bytes from the client
   * until it ends, and frames are up to the plugin. Absent: handshakes go to {@link handle} as
   * requests without an upgrade.
   */
  upgrade?(request: SiteRequest): Promise<SiteUpgradeResponse>
}
