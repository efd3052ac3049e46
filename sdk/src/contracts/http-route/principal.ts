import type { AccessScope } from './access.js'

/** Who is behind a request, proven. */
export interface Principal {
  /** The id of the user, which never changes. */
  readonly userId: string
  /** The present name; the user may change it. */
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  /** From the stored record at the time of the request, not from the token. */
  readonly role: 'admin' | 'user'
  /** What the credential may be used for. A route that asks for another scope is refused before its handler runs. */
  readonly scopes: readonly AccessScope[]
  /** The session that the credential belongs to, where it belongs to one. */
  readonly sessionId?: string
  /** When the credential ends, in milliseconds since 1970. Streams end then too. */
  readonly expiresAt?: number
}
