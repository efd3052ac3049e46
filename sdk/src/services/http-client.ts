import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * The limits of a request. All of them hold for the whole chain of redirects, except `headersMs`,
 * which each hop has again.
 */
export interface HttpClientLimits {
  /** From the beginning to the last byte of the body, in milliseconds. Default 60,000. */
  readonly totalMs?: number
  /**
   * From the beginning of a hop, its turn and the connection included, to its headers, in
   * milliseconds. Default 30,000.
   */
  readonly headersMs?: number
  /**
   * The longest pause between two pieces of the body while it is read, in milliseconds. Default
   * 30,000.
   */
  readonly idleMs?: number
  /**
   * The largest body, as it came and after decompression. Default 10 MiB; at most 64 MiB for {@link
   * HttpClient.request}, 4 GiB for {@link HttpClient.stream}.
   */
  readonly maxBodyBytes?: number
}

/** One request to an address that may have been chosen by someone else: a user, a model, a page. */
export interface HttpClientRequest {
  /** Absolute, `https`. A user name or password in it is refused. */
  readonly url: string
  /** One of `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`. Default `GET`. */
  readonly method?: string
  /**
   * Names in any case. `Host`, lengths, encodings and headers of the connection are set by the
   * client and refused here.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** At most 32 MiB. Not with `GET` or `HEAD`. */
  readonly body?: string | Uint8Array
  /**
   * Only these hosts, in every hop: `example.com`, `*.example.com` (its subdomains), each with
   * `:port` if it matters. Default: all that the manifest permits.
   */
  readonly hosts?: readonly string[]
  /**
   * Only these ports, in every hop. Default: 80, 443 and those from 1024 up that no browser would
   * refuse.
   */
  readonly ports?: readonly number[]
  /** Whether `http` is taken too. Default false. */
  readonly allowHttp?: boolean
  /**
   * Whether an address that is not public may be reached, if the manifest names it or its range
   * among the `targets` of a `network` permission. Metadata services of clouds are refused always.
   * Default false.
   */
  readonly allowPrivate?: boolean
  /**
   * `follow` (the default) checks every hop like the first and sends credentials, unknown headers
   * and bodies to the first origin only; `return` gives the redirect itself; `refuse` makes it an
   * error.
   */
  readonly redirect?: 'follow' | 'return' | 'refuse'
  /** Hops beyond the first. Default 5, at most 20. */
  readonly maxRedirects?: number
  /** Each one that is absent has its default. */
  readonly limits?: HttpClientLimits
}

/** The beginning of an answer. */
export interface HttpClientHead {
  /** Of the last hop. From 200 up. */
  readonly status: number
  /** Names in lower case; several values of one name are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the answer came from: the address of the last hop. */
  readonly url: string
  /** How many redirects were followed. */
  readonly redirects: number
}

/** An answer with its whole body. */
export interface HttpClientResponse extends HttpClientHead {
  /** Decompressed. Empty if there is none. */
  readonly body: Uint8Array
}

/** An answer whose body is read as it comes. */
export interface HttpClientStream extends HttpClientHead {
  /**
   * Decompressed pieces; read once. The connection is held until the iteration ends or is left.
   * @throws the errors of {@link HttpClient.stream}, or the signal's reason.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends an answer whose body is not wanted. May be called more than once, and after the end. */
  close(): Promise<void>
}

/**
 * Requests to addresses that someone else chose. Names are resolved once, every address is checked,
 * and the connection goes to a checked address, so a name that changes its address gains nothing.
 * TLS certificates are always verified; proxies of the environment are not used. Whether a plugin
 * may reach a host at all is decided by the `network` permissions of its manifest: `*` stands for
 * every public host.
 *
 * A failure is one of {@link httpRequestInvalidError}, {@link httpAddressRefusedError}, {@link
 * httpRedirectRefusedError}, {@link httpConnectionError}, {@link httpTimeoutError}, {@link
 * httpResponseTooLargeError}, {@link httpResponseInvalidError} and {@link httpClientBusyError}; an
 * abort throws the signal's reason at once. Any status is an answer, not a failure.
 *
 * @example
 * const request = { url: 'https://example.org/feed.json', limits: { maxBodyBytes: 1_000_000 } }
 * const { status, body } = await context.use(httpClientService).request(request, { signal })
 * const text = status === 200 ? new TextDecoder().decode(body) : undefined
 */
export interface HttpClient {
  /** Sends a request and reads its whole body. */
  request(request: HttpClientRequest, options: { readonly signal: AbortSignal }): Promise<HttpClientResponse>
  /**
   * Sends a request and resolves with the head of the answer. The body has to be read to its end,
   * left or closed.
   */
  stream(request: HttpClientRequest, options: { readonly signal: AbortSignal }): Promise<HttpClientStream>
}

/**
 * The guarded client. Provided by the kernel, for each plugin with what its manifest permits; its
 * connections end with the plugin.
 */
export const httpClientService = defineServiceReference<HttpClient>()('kernel.http-client')

/** The request is invalid and was not sent. */
export const httpRequestInvalidError = defineError<{ readonly reason: string }>({
  code: 'http_request_invalid',
  status: 400,
  title: 'Request cannot be sent',
  message: ({ reason }) => `The request cannot be sent: ${reason}`,
})

/**
 * An address is not public, or not among those that are permitted. The error does not say what a
 * name resolves to.
 */
export const httpAddressRefusedError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'http_address_refused',
  status: 403,
  title: 'Address refused',
  message: ({ host, reason }) => `Requests to “${host}” are refused: ${reason}`,
})

/** A redirect was not followed. */
export const httpRedirectRefusedError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'http_redirect_refused',
  status: 502,
  title: 'Redirect refused',
  message: ({ host, reason }) => `The redirect by “${host}” was not followed: ${reason}`,
})

/**
 * The connection failed: the name is unknown, the host does not answer, its certificate is
 * invalid, or it closed the connection.
 */
export const httpConnectionError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'http_connection_failed',
  status: 502,
  title: 'Connection failed',
  message: ({ host, reason }) => `The connection to “${host}” failed: ${reason}`,
})

/** A time limit was exceeded. */
export const httpTimeoutError = defineError<{ readonly host: string; readonly what: string; readonly limitMs: number }>({
  code: 'http_request_timeout',
  status: 504,
  title: 'Request timed out',
  message: ({ host, what, limitMs }) => `“${host}” was too slow: ${what} took longer than ${limitMs} ms.`,
})

/**
 * The answer was larger than its limit, as it came or after decompression. The rest was not read.
 */
export const httpResponseTooLargeError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'http_response_too_large',
  status: 502,
  title: 'Response too large',
  message: ({ host, reason }) => `The answer of “${host}” is too large: ${reason}`,
})

/** The answer breaks HTTP or its own encoding. */
export const httpResponseInvalidError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'http_response_invalid',
  status: 502,
  title: 'Response invalid',
  message: ({ host, reason }) => `The answer of “${host}” cannot be read: ${reason}`,
})

/** Too many requests to one host, or by one plugin, are under way and waiting. */
export const httpClientBusyError = defineError<{ readonly host: string }>({
  code: 'http_client_busy',
  status: 503,
  title: 'Too many requests',
  message: ({ host }) => `Too many requests to “${host}” are waiting already. Try again when some of them have finished.`,
})
