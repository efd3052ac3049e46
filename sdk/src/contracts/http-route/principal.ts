import type { AccessScope } from './access.js'

/** Who is behind a request, proven. */
export interface Principal {
  readonly userId: string
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  /** From the stored record at the time of the request, not from the token. */
  readonly role: 'admin' | 'user'
  readonly scopes: readonly AccessScope[]
  /** The session that the credential belongs to, where it belongs to one. */
  readonly sessionId?: string
  /** When the credential ends, in milliseconds since 1970. Streams end then too. */
  readonly expiresAt?: number
}
