import type { Contribution } from '../../core/contribution-point.js'
import type { Problem } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'

/** An error that is about to be answered, as {@link HttpErrorFormat.format} gets it. */
export interface FormattableError {
  /** From 400 up. */
  readonly status: number
  /** Stable, snake_case. */
  readonly code: string
  /** One sentence for people. */
  readonly detail: string
  /** The path of the request, decoded; of an error without a request that of its route. */
  readonly path: string
  /** Every problem of a validation; empty otherwise. */
  readonly problems: readonly Problem[]
  /** Seconds after which a retry may succeed, if that is known: the answer's `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** How an error is answered to the clients of a protocol. */
export interface FormattedError {
  /** Members of the answer beside those of a problem (RFC 9457), of which they replace none. */
  readonly members: JsonObject
  /** 400 to 599, where the protocol has another one for this error. Default: the error's own. */
  readonly status?: number
  /** Further headers. Those of the connection, of credentials and of the content are left out. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The form of errors below a prefix, for clients of a protocol that this service did not define.
 * Every error there is answered in it while the plugin runs: of its routes, and of the service
 * itself, such as for an unknown path, a wrong method or a missing credential.
 */
export interface HttpErrorFormat extends Contribution {
  /** The generation of this contract that the format is written for. */
  readonly specVersion: 1
  /** `/v1`: this path and all below it. Lies under the paths that the plugin owns. */
  readonly prefix: string
  /**
   * Takes requests below the prefix as clients of such protocols send them. Empty segments of the path, a slash at
   * its end and a repeated prefix are left out before anything else reads the path; parameters of the query that a
   * route does not have are ignored and named in `X-Ignored-Parameters`; JSON may have the type `text/json` or
   * none; and pages of `server.cors_origins` may send any header. Default: false.
   */
  readonly lenient?: boolean
  /**
   * Further prefixes where clients look for the protocol if their base URL is wrong: `/chat/completions`. Where no
   * route and no page is, the error is in this format, so that it can say what to change. Blanks in the path do not
   * matter, and with them the prefix itself is such a place. Plugins that are not built in name their own paths alone.
   */
  readonly mistaken?: readonly string[]
  /** Converts one error. Fast, without effects. If it throws, a plain problem is answered. */
  format(error: FormattableError): FormattedError
}
