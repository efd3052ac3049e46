/** The settings of section `server` that the HTTP layer reads. */
export interface HttpSettings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly base_url?: string
  readonly backend_url?: string
  readonly frontend_url?: string
  readonly external_url?: string
  /** Comma-separated, as {@link HttpSettings.trusted_proxies}. */
  readonly cors_origins?: string
  readonly trusted_proxies?: string
  readonly max_body_size_bytes: number
  /** How long a connection may wait for its next request. */
  readonly keep_alive_timeout_secs: number
}

/** Limits of the HTTP layer. Tests can lower them. */
export interface HttpLimits {
  /** The default limit of a JSON body, in bytes; a route can state its own. */
  readonly maxJsonBytes: number
  /** The same for routes under `/api/auth/`. */
  readonly maxAuthJsonBytes: number
  /** JSON bodies above this size are parsed and validated in a thread. */
  readonly parseInThreadBytes: number
  /** How many such bodies are parsed at a time, each for a different holder. */
  readonly maxJsonThreads: number
  /** How long at most the next large body of a user waits while the one before is worked on. */
  readonly largeBodyTurnMs: number
  /** Levels of nesting in a JSON body. */
  readonly maxJsonDepth: number
  /** Items, members, lists and objects in a JSON body. */
  readonly maxJsonValues: number
  /** Bytes of bodies that were received and not passed on yet, for all requests together. */
  readonly maxTotalBodyBytes: number
  /** How long a body may make no progress, in milliseconds. */
  readonly maxBodyIdleMs: number
  /** How long a JSON body may take in all, in milliseconds. */
  readonly maxJsonArrivalMs: number
  /**
   * A client that reads nothing for this long is disconnected. On an event stream, only if more
   * than `maxUnsentBytes` are waiting for it.
   */
  readonly maxStalledMs: number
  /** How long an event stream may be silent before a comment is sent: proxies end silent connections. */
  readonly eventCommentMs: number
  /** How many unsent bytes an event stream may have before it fetches the next event. */
  readonly maxUnsentBytes: number
  readonly maxConnections: number
  /**
   * How often a WebSocket is pinged. One that has sent nothing since the last ping is disconnected.
   */
  readonly webSocketPingMs: number
  /** How long a client may take to answer a close frame before its connection is destroyed. */
  readonly webSocketCloseMs: number
  readonly headersTimeoutMs: number
  /** Connections of one network that wait for their next request. */
  readonly maxIdleOfNetwork: number
  /** The same for all networks together. */
  readonly maxIdleConnections: number
  /** Requests of one principal to expensive routes in a minute. */
  readonly maxExpensivePerMinute: number
  /** How much of {@link maxTotalBodyBytes} one user may hold. */
  readonly maxBodyBytes: number
  /** The same for one network whose users are not known. */
  readonly maxAnonymousBodyBytes: number
  /** A quarter of {@link maxTotalBodyBytes} is reserved for bodies up to this size. */
  readonly smallBodyBytes: number
  /**
   * How many bytes of a streamed body have to arrive in a second of waiting for them, after the
   * first {@link maxBodyIdleMs}.
   */
  readonly minBodyBytesPerSecond: number
  /** Event streams of one user. */
  readonly maxEventStreams: number
  /** Streams of plugins, of one user or network. */
  readonly maxPluginStreams: number
  /** How long a stream has to stay unread, with data waiting, before a new one may displace it. */
  readonly unreadStreamMs: number
  /** Concurrent requests of one user, not counting streams. */
  readonly maxCalls: number
  /** The same for one network whose users are not known. */
  readonly maxAnonymousCalls: number
  /** Streamed bodies of one user or network. */
  readonly maxUploads: number
  /** How long a request waits for its share of calls or uploads before it is refused. */
  readonly maxShareWaitMs: number
}

export const defaultHttpLimits: HttpLimits = Object.freeze({
  maxJsonBytes: 1024 * 1024,
  maxAuthJsonBytes: 64 * 1024,
  parseInThreadBytes: 256 * 1024,
  maxJsonThreads: 2,
  largeBodyTurnMs: 250,
  maxJsonDepth: 100,
  maxJsonValues: 1_000_000,
  maxTotalBodyBytes: 256 * 1024 * 1024,
  maxBodyIdleMs: 30_000,
  maxJsonArrivalMs: 120_000,
  maxStalledMs: 30_000,
  eventCommentMs: 15_000,
  maxUnsentBytes: 1024 * 1024,
  maxConnections: 20_000,
  webSocketPingMs: 25_000,
  webSocketCloseMs: 2_000,
  headersTimeoutMs: 20_000,
  maxIdleOfNetwork: 1_000,
  maxIdleConnections: 10_000,
  maxExpensivePerMinute: 1_200,
  maxBodyBytes: 64 * 1024 * 1024,
  maxAnonymousBodyBytes: 32 * 1024 * 1024,
  smallBodyBytes: 1024 * 1024,
  minBodyBytesPerSecond: 1024,
  maxEventStreams: 20,
  maxPluginStreams: 20,
  unreadStreamMs: 60_000,
  maxCalls: 64,
  maxAnonymousCalls: 256,
  maxUploads: 16,
  maxShareWaitMs: 10_000,
})
