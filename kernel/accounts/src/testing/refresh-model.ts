import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { type AuthUnderTest, openAuthUnderTest } from './auth-under-test.js'

/**
 * What people and thieves do with the refresh tokens of one session: which token, from which
 * device, at once or after how long.
 */
interface Step {
  /** Of the tokens given out so far, counted from the latest. */
  readonly token: number
  readonly device: 'owner' | 'thief'
  /** How many ask at the same moment with the same token. */
  readonly tabs: number
  readonly pauseMs: number
}

const runsPerStore = 200

const steps = fc.array(
  fc.record<Step>({
    token: fc.nat({ max: 3 }),
    device: fc.constantFrom('owner', 'owner', 'owner', 'thief'),
    tabs: fc.integer({ min: 1, max: 4 }),
    pauseMs: fc.constantFrom(0, 1, 5_000, 10_000, 10_001, 60_000),
  }),
  { minLength: 1, maxLength: 12 },
)

/**
 * Tries random interleavings and holds that a session never has two tokens that can be rotated:
 * once the grace is over, at most one of all that were given out is accepted, and none once a token
 * came back that was not to be forgiven.
 */
export async function checkRefreshInterleavings(options: { readonly runs: number; readonly seed: number }): Promise<void> {
  // A store in memory for a few of them at a time, so that the time that each takes does not grow.
  for (let done = 0; done < options.runs; done += runsPerStore) {
    const auth = await openAuthUnderTest()
    let people = 0
    try {
      await fc.assert(
        fc.asyncProperty(steps, fc.scheduler(), (script, scheduler) => playSteps(auth, `person-${people++}`, script, scheduler)),
        { numRuns: Math.min(runsPerStore, options.runs - done), seed: options.seed + done },
      )
    } finally {
      await endTestStores()
    }
  }
}

async function playSteps(auth: AuthUnderTest, username: string, script: readonly Step[], scheduler: fc.Scheduler): Promise<void> {
  try {
    const { cookie = '' } = await auth.call('register', {
      body: { username, password: 'ada-secret-1' },
      loopback: true,
      ...from('owner'),
    })
    const given = [tokenIn(cookie)]
    let reused = false
    // Every step of the store waits for its turn, in an order that the seed decides.
    auth.store.pause = () => scheduler.schedule(Promise.resolve())
    for (const { token, device, tabs, pauseMs } of script) {
      const presented = given.at(-1 - (token % given.length)) ?? ''
      const asked = Promise.all(Array.from({ length: tabs }, () => rotate(auth, presented, device)))
      await scheduler.waitFor(asked)
      const outcomes = await asked
      const fresh = new Set(outcomes.flatMap((outcome) => ('token' in outcome ? [outcome.token] : [])))
      expect(fresh.size, 'successors of one token').to.be.at.most(1)
      for (const successor of fresh) if (!given.includes(successor)) given.push(successor)
      reused ||= outcomes.some((outcome) => 'code' in outcome && outcome.code === 'refresh_reused')
      if (reused) for (const outcome of outcomes.slice(-1)) expect('code' in outcome).to.equal(true)
      await auth.clock.advance(pauseMs)
    }
    auth.store.pause = () => Promise.resolve()
    await auth.clock.advance(10_001)
    const accepted = await Promise.all(given.map((token) => isAccepted(auth, token)))
    expect(accepted.filter(Boolean), 'live heads').to.have.length(reused ? 0 : 1)
  } finally {
    auth.store.pause = () => Promise.resolve()
  }
}

type Outcome = { readonly token: string } | { readonly code: string }

const rotate = (auth: AuthUnderTest, token: string, device: Step['device']): Promise<Outcome> =>
  auth.call('refresh', from(device, token)).then(
    ({ cookie }): Outcome => ({ token: tokenIn(cookie ?? '') }),
    (error: { readonly code: string }): Outcome => ({ code: error.code }),
  )

const isAccepted = async (auth: AuthUnderTest, token: string): Promise<boolean> =>
  auth.authenticator.authenticate({ cookies: { refresh_token: token } }).then(
    (authentication) => {
      authentication?.release()
      return true
    },
    () => false,
  )

const from = (device: Step['device'], token?: string) => ({
  address: device === 'owner' ? '192.0.2.7' : '198.51.100.9',
  headers: { 'user-agent': device, ...(token === undefined ? {} : { cookie: `refresh_token=${token}` }) },
})

const tokenIn = (cookie: string): string => /^refresh_token=([^;]*)/.exec(cookie)?.[1] ?? ''
