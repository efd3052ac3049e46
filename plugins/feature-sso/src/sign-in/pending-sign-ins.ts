import { type Static, Type, validate } from '@agent-service/sdk'
import type { RouteCookie } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Seals } from '@agent-service/sdk/services/seals'

/** How long somebody may take at the identity provider, in seconds. */
export const maxSignInSeconds = 600
/** How many sign-ins of one browser may be under way: tabs that were opened together. */
const maxAtOnce = 5
/** Finished ones are remembered until they would be over anyhow, as many as these. */
const maxRemembered = 10_000

const pendingSchema = Type.Object({
  nonce: Type.String(),
  codeVerifier: Type.String(),
  returnPath: Type.String(),
  setupCode: Type.Optional(Type.String()),
  /** The session that is to be confirmed. Without it, it is a sign-in. */
  confirms: Type.Optional(Type.String()),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer(),
})

/** What a browser keeps, unreadable to it, while somebody signs in elsewhere. */
export type PendingSignIn = Static<typeof pendingSchema>

/** Sign-ins that were begun. Each is kept in a cookie of the browser that began it, named after its `state`, so that tabs do not disturb each other. */
export interface PendingSignIns {
  /** The cookies that begin one; `present` are those that the browser sent. */
  begin(
    state: string,
    pending: Omit<PendingSignIn, 'startedAt'>,
    present: Readonly<Record<string, string>>,
  ): Promise<readonly RouteCookie[]>
  /** Uses one up: `undefined` unless this browser began it, in time, and nobody has finished it. */
  take(state: string, present: Readonly<Record<string, string>>): Promise<PendingSignIn | undefined>
  /** What takes the cookie of a sign-in back. */
  ended(state: string): RouteCookie
}

/** Makes them. `path` is where the browser sends the cookies. */
export function createPendingSignIns(dependencies: {
  readonly seals: Seals
  readonly clock: Clock
  readonly path: () => string
}): PendingSignIns {
  const { seals, clock, path } = dependencies
  const finished = new Map<string, number>()

  const cookieOf = (name: string, value: string, maxAgeSeconds: number): RouteCookie => ({ name, value, path: path(), maxAgeSeconds })
  const ended = (state: string): RouteCookie => cookieOf(state, '', 0)
  const isOver = (startedAt: number): boolean => clock.now() - startedAt > maxSignInSeconds * 1000

  /** True the first time. The oldest come first, since every one lives equally long. */
  const finish = (state: string, startedAt: number): boolean => {
    if (finished.has(state)) return false
    for (const [known, since] of finished) {
      if (!isOver(since) && finished.size < maxRemembered) break
      finished.delete(known)
    }
    finished.set(state, startedAt)
    return true
  }

  return {
    ended,
    async begin(state, pending, present) {
      const sealed = await seals.seal(JSON.stringify({ ...pending, startedAt: clock.now() }), purposeOf(state))
      const surplus = Object.keys(present).slice(0, Math.max(0, Object.keys(present).length - maxAtOnce + 1))
      return [...surplus.map(ended), cookieOf(state, sealed, maxSignInSeconds)]
    },
    async take(state, present) {
      const sealed = Object.hasOwn(present, state) ? present[state] : undefined
      const text = sealed === undefined ? undefined : await seals.open(sealed, purposeOf(state))
      if (text === undefined) return undefined
      const pending = JSON.parse(text) as PendingSignIn
      if (validate(pendingSchema, pending).length > 0 || isOver(pending.startedAt)) return undefined
      return finish(state, pending.startedAt) ? pending : undefined
    },
  }
}

const purposeOf = (state: string): string => `sign-in ${state}`
