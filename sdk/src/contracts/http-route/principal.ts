import type { AccessScope } from './access.js'

/** Every kind of {@link Actor}: what a route that is open to all of them names. */
export const actorKinds = Object.freeze(['agent', 'app', 'mcp_server'] as const)

/** What acts for a user: an agent, an app or an MCP server whose process was given an ephemeral token. */
export interface Actor {
  /** What sort of thing {@link id} names. */
  readonly kind: (typeof actorKinds)[number]
  /** Of the agent, the app or the MCP server. */
  readonly id: string
  /** What the token was made for, in a word or two: `sandbox`, `mcp`. */
  readonly purpose: string
}

/** Who is behind a request, proven. */
export interface Principal {
  /** The id of the user, which never changes. */
  readonly userId: string
  /** The present name; the user may change it. */
  readonly username: string
  /** The name of the user's folder; never changes. */
  readonly handle: string
  /** From the stored record at the time of the request, not from the token. For an {@link actor} always `user`, whatever the user's role. */
  readonly role: 'admin' | 'user'
  /** What the credential may be used for. A route that asks for another scope is refused before its handler runs. */
  readonly scopes: readonly AccessScope[]
  /** The session that the credential belongs to, where it belongs to one. */
  readonly sessionId?: string
  /** The person behind the session has shown within the last five minutes who it is, by password or single sign-on. Never of a token. */
  readonly confirmed?: boolean
  /** The personal access token, or the grant of the ephemeral token, if the credential is one. */
  readonly tokenId?: string
  /** Who acts for the user, if it is not the person or a program of theirs. Nothing of it is to be trusted more than a model's output. */
  readonly actor?: Actor
  /** When the credential ends, in milliseconds since 1970. Streams end then too. */
  readonly expiresAt?: number
}
