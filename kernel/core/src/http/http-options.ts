/** What the HTTP layer reads of the section `server` of the configuration. */
export interface HttpSettings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly base_url?: string
  readonly backend_url?: string
  readonly frontend_url?: string
  readonly external_url?: string
  readonly static_dir: string
  /** Comma-separated, as {@link HttpSettings.trusted_proxies}. */
  readonly cors_origins?: string
  readonly trusted_proxies?: string
  readonly max_body_size_bytes: number
}

/** Limits of the HTTP layer. All but those that the specification fixes can be lowered in tests. */
export interface HttpLimits {
  /** Of a JSON body where the route states none, in bytes. */
  readonly jsonBytes: number
  /** The same for routes under `/api/auth/`. */
  readonly authJsonBytes: number
  /** JSON bodies above this are parsed and validated in a thread. */
  readonly parseInThreadBytes: number
  /** How many such bodies are parsed at a time, each of another holder. */
  readonly maxJsonThreads: number
  /** Of nesting in a JSON body. */
  readonly jsonDepth: number
  /** Of items, members, lists and objects in a JSON body. */
  readonly maxJsonValues: number
  /** Bytes of bodies that have arrived and not been handed on, all requests together. */
  readonly totalBodyBytes: number
  /** How long a body may make no progress, in milliseconds. */
  readonly bodyIdleMs: number
  /** How long a JSON body may take in all, in milliseconds. */
  readonly jsonArrivalMs: number
  /** A reader that makes no progress for this long is dropped: of events only with more than `maxUnsentBytes` waiting for it. */
  readonly stalledReaderMs: number
  /** How much may wait for a reader of events before the next event is fetched. */
  readonly maxUnsentBytes: number
  readonly maxConnections: number
  /** How often a WebSocket is pinged. One that answered nothing since the last time is dropped. */
  readonly webSocketPingMs: number
  /** How long a client may take to answer the closing of its WebSocket before the connection is broken. */
  readonly webSocketCloseMs: number
  readonly headersTimeoutMs: number
  readonly keepAliveMs: number
  /** A principal's window for expensive routes. */
  readonly expensivePerMinute: number
  /** How much of {@link totalBodyBytes} one user may have. */
  readonly maxBodyBytes: number
  /** The same for one network whose users are not known. */
  readonly maxAnonymousBodyBytes: number
  /** Bodies up to this have a quarter of {@link totalBodyBytes} to themselves. */
  readonly smallBodyBytes: number
  /** How many bytes of a streamed body have to come in a second of waiting for them, after the first {@link bodyIdleMs}. */
  readonly minBodyBytesPerSecond: number
  /** Event streams of one user. */
  readonly maxEventStreams: number
  /** Streams of plugins, of one user or network. */
  readonly maxPluginStreams: number
  /** For how long a client has to leave a stream unread, with something to read, until a new one may take its place. */
  readonly unreadStreamMs: number
  /** Requests of one user that are being answered, streams apart. */
  readonly maxCalls: number
  /** The same for one network whose users are not known. */
  readonly maxAnonymousCalls: number
  /** Streamed bodies of one user or network. */
  readonly maxUploads: number
  /** How long a request waits for its share of calls or uploads before it is refused. */
  readonly shareWaitMs: number
}

export const defaultHttpLimits: HttpLimits = Object.freeze({
  jsonBytes: 1024 * 1024,
  authJsonBytes: 64 * 1024,
  parseInThreadBytes: 256 * 1024,
  maxJsonThreads: 2,
  jsonDepth: 100,
  maxJsonValues: 1_000_000,
  totalBodyBytes: 256 * 1024 * 1024,
  bodyIdleMs: 30_000,
  jsonArrivalMs: 120_000,
  stalledReaderMs: 30_000,
  maxUnsentBytes: 1024 * 1024,
  maxConnections: 20_000,
  webSocketPingMs: 25_000,
  webSocketCloseMs: 2_000,
  headersTimeoutMs: 20_000,
  keepAliveMs: 15_000,
  expensivePerMinute: 1_200,
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
  shareWaitMs: 10_000,
})
