import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

/** Five attempts at a name are not slowed, so three accounts make fifteen. */
const rounds = 15

/** The ratio of the medians of the times that two calls take, in turns. */
async function compareTimes(one: (round: number) => Promise<unknown>, other: (round: number) => Promise<unknown>): Promise<number> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1)
    for (const [side, call] of [one, other].entries()) {
      const start = process.hrtime.bigint()
      await call(round % 3)
      times[side]?.push(Number(process.hrtime.bigint() - start))
    }
  const [first, second] = times.map((each) => each.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN)
  return (second ?? Number.NaN) / (first ?? Number.NaN)
}

describe('the time that a refusal takes', () => {
  afterEach(endTestStores)

  it('6.3.8 of a sign-in is about the same for an unknown name and for a wrong password', async () => {
    const auth = await openAuthUnderTest({ passwordCost: { memoryCost: 8_192, timeCost: 4, parallelism: 1 } })
    for (const name of ['ada', 'bob', 'cyd']) await auth.register(name)
    const signIn = (username = ''): Promise<string> => codeOf(auth.call('login', { body: { username, password: 'a wrong password' } }))
    const ratio = await compareTimes(
      (which) => signIn(['ada', 'bob', 'cyd'][which]),
      (which) => signIn(['unknown', 'missing', 'ghost'][which]),
    )
    expect(ratio).to.be.within(0.6, 1.6)
  })

  it('6.3.8 of a confirmation is about the same for an account that has no password', async () => {
    const auth = await openAuthUnderTest({
      signInPolicy: { singleSignOn: true, localSignIn: true },
      passwordCost: { memoryCost: 16_384, timeCost: 3, parallelism: 1 },
    })
    const local = await Promise.all(['one', 'two', 'three'].map(async (name) => (await auth.register(name)).access_token))
    const foreign = await Promise.all(['ada', 'eve', 'third'].map((subject) => signOn(auth, subject)))
    const confirm = async (token = ''): Promise<string> =>
      codeOf(auth.call('confirmSession', { principal: await auth.principal(token), body: { password: 'a wrong password' } }))
    const ratio = await compareTimes(
      (which) => confirm(local[which]),
      (which) => confirm(foreign[which]),
    )
    expect(ratio).to.be.within(0.6, 1.6)
  })
})

async function signOn(auth: AuthUnderTest, subject: string): Promise<string> {
  const { refreshCookie } =
    (await auth.externalSignIn?.signIn(
      { issuer: 'https://login.example', subject },
      { origin: { address: '192.0.2.7', userAgent: 'browser', loopback: false }, matchEmail: true, acceptUnverifiedEmail: true },
    )) ?? {}
  const headers = { cookie: refreshCookie?.split(';')[0] ?? '', 'user-agent': 'browser' }
  return ((await auth.call('refresh', { headers })).json as SignedInBody).access_token
}
