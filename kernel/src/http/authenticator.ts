import type { Principal } from '@agent-service/sdk/contracts/http-route'

/** The credentials that came with a request, as they came. */
export interface PresentedCredentials {
  /** From `Authorization: Bearer`. */
  readonly bearer?: string
  /** From `?token=`; only given for streaming routes. */
  readonly queryToken?: string
  /** All cookies of the request. */
  readonly cookies: Readonly<Record<string, string>>
}

/** A proven principal and the end of its credential. */
export interface Authentication {
  readonly principal: Principal
  /** Aborted when the credential ends early: logout, disabled account, changed password. */
  readonly ended: AbortSignal
  /** Gives the watch on the credential back. */
  release(): void
}

/** Proves who is behind a request. */
export interface Authenticator {
  /** `undefined` when nothing was presented. @throws `unauthenticated` (401) when what was presented does not hold. */
  authenticate(credentials: PresentedCredentials): Promise<Authentication | undefined>
}
