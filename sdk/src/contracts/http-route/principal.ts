import type { AccessScope } from './access.js'

/** Every kind of {@link Actor}, for routes that are open to all of them. */
export const actorKinds = Object.freeze(['agent', 'app', 'mcp_server'] as const)

/** Acts for a user: an agent, an app or an MCP server whose process has an ephemeral token. */
export interface Actor {
  /** The kind of {@link id}. */
  readonly kind: (typeof actorKinds)[number]
  /** Of the agent, the app or the MCP server. */
  readonly id: string
  /** The purpose of the token, in a word or two: `sandbox`, `mcp`. */
  readonly purpose: string
}

/** The authenticated caller of a request. */
export interface Principal {
  /** The id of the user, which never changes. */
  readonly userId: string
  /** The present name; the user may change it. */
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  /**
   * From the stored record at the time of the request, not from the token. For an {@link actor}
   * always `user`.
   */
  readonly role: 'admin' | 'user'
  /**
   * What the credential may be used for. A route that asks for another scope is refused before its
   * handler runs.
   */
  readonly scopes: readonly AccessScope[]
  /** The session that the credential belongs to, where it belongs to one. */
  readonly sessionId?: string
  /**
   * The session was confirmed within the last five minutes, by password or single sign-on. Never
   * true for a token.
   */
  readonly confirmed?: boolean
  /** The personal access token, or the grant of the ephemeral token, if the credential is one. */
  readonly tokenId?: string
  /**
   * Who acts for the user, if it is not the person or a program of theirs. Trust it no more than a
   * model's output.
   */
  readonly actor?: Actor
  /** When the credential ends, in milliseconds since 1970. Streams end then too. */
  readonly expiresAt?: number
}
