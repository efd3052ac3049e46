import { type Static, Type, validate } from '@agent-service/sdk'
import type { RouteCookie } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Seals } from '@agent-service/sdk/services/seals'

/** How long a person may take at the identity provider, in seconds. */
export const maxSignInSeconds = 600
/** How many sign-ins of one browser may be pending, in several tabs. */
const maxPending = 5
/** How many finished sign-ins are remembered until they expire. */
const maxRemembered = 10_000

const pendingSchema = Type.Object({
  nonce: Type.String(),
  codeVerifier: Type.String(),
  returnPath: Type.String(),
  setupCode: Type.Optional(Type.String()),
  /** The session that is to be confirmed. Without it, it is a sign-in. */
  confirms: Type.Optional(Type.String()),
  /** Whether the person was sent to the provider again after a code was lost. */
  isRepeated: Type.Optional(Type.Boolean()),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer(),
})

/** The encrypted state in the browser's cookie during a sign-in. */
export type PendingSignIn = Static<typeof pendingSchema>

/**
 * Pending sign-ins. Each is kept in a cookie of its browser, named after its `state`, so that tabs
 * do not interfere.
 */
export interface PendingSignIns {
  /** The cookies to set for a new one; `present` are the cookies of the browser. */
  begin(
    state: string,
    pending: Omit<PendingSignIn, 'startedAt'>,
    present: Readonly<Record<string, string>>,
  ): Promise<readonly RouteCookie[]>
  /** Consumes one; `undefined` unless this browser began it, in time, and it has not been used. */
  take(state: string, present: Readonly<Record<string, string>>): Promise<PendingSignIn | undefined>
  /** The cookie that removes the cookie of a sign-in. */
  clearCookie(state: string): RouteCookie
}

/** `path` is the path of the cookies. */
export function createPendingSignIns(dependencies: {
  readonly seals: Seals
  readonly clock: Clock
  readonly path: () => string
}): PendingSignIns {
  const { seals, clock, path } = dependencies
  const finished = new Map<string, number>()

  const cookieOf = (name: string, value: string, maxAgeSeconds: number): RouteCookie => ({ name, value, path: path(), maxAgeSeconds })
  const clearCookie = (state: string): RouteCookie => cookieOf(state, '', 0)
  const isExpired = (startedAt: number): boolean => clock.now() - startedAt > maxSignInSeconds * 1000

  /** True the first time. The oldest come first, because all have the same lifetime. */
  const finish = (state: string, startedAt: number): boolean => {
    if (finished.has(state)) return false
    for (const [known, since] of finished) {
      if (!isExpired(since) && finished.size < maxRemembered) break
      finished.delete(known)
    }
    finished.set(state, startedAt)
    return true
  }

  return {
    clearCookie,
    async begin(state, pending, present) {
      const sealed = await seals.seal(JSON.stringify({ ...pending, startedAt: clock.now() }), purposeOf(state))
      const surplus = Object.keys(present).slice(0, Math.max(0, Object.keys(present).length - maxPending + 1))
      return [...surplus.map(clearCookie), cookieOf(state, sealed, maxSignInSeconds)]
    },
    async take(state, present) {
      const sealed = Object.hasOwn(present, state) ? present[state] : undefined
      const text = sealed === undefined ? undefined : await seals.open(sealed, purposeOf(state))
      if (text === undefined) return undefined
      const pending = JSON.parse(text) as PendingSignIn
      if (validate(pendingSchema, pending).length > 0 || isExpired(pending.startedAt)) return undefined
      return finish(state, pending.startedAt) ? pending : undefined
    },
  }
}

const purposeOf = (state: string): string => `sign-in ${state}`
