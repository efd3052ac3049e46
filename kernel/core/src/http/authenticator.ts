import type { Principal } from '@agent-service/sdk/contracts/http-route'
import type { InjectionToken } from 'tsyringe'

/** A request through a pre-signed URL, byte by byte as received. */
export interface PresignedRequest {
  readonly method: string
  /** Everything before the parameter `presign`, which is the last one. */
  readonly target: string
  /** The value of `presign`. */
  readonly token: string
}

/** The credentials of a request, as received. */
export interface PresentedCredentials {
  /** From `Authorization: Bearer`. */
  readonly bearer?: string | undefined
  /** From `?token=`; only given for streaming routes. */
  readonly queryToken?: string | undefined
  /** Only given for presignable routes. */
  readonly presigned?: PresignedRequest | undefined
  /** All cookies of the request. */
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** A proven principal, and the signal that its credential has ended. */
export interface Authentication {
  readonly principal: Principal
  /** Aborted when the credential ends early: logout, disabled account, changed password. */
  readonly ended: AbortSignal
  /** Stops watching the credential. */
  release(): void
}

/** Proves who is behind a request. */
export interface Authenticator {
  /**
   * `undefined` if no credential was sent. @throws `unauthenticated` (401) if the credential is not
   * valid.
   */
  authenticate(credentials: PresentedCredentials): Promise<Authentication | undefined>
}

export const authenticatorToken: InjectionToken<Authenticator> = Symbol('authenticator')
