import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { sessions } from '../records/records.js'
import { type AuthUnderTest, type CalledRoute, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

const tokenIn = ({ cookie }: CalledRoute): string => /^refresh_token=([^;]*)/.exec(cookie ?? '')?.[1] ?? ''
const accessIn = ({ json }: CalledRoute): string => (json as { readonly access_token: string }).access_token

describe('refreshing', () => {
  let auth: AuthUnderTest
  let first: CalledRoute

  const withToken = (token: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { cookie: `theme=dark; refresh_token=${token}`, 'user-agent': 'browser', ...more },
  })
  const refresh = (token: string, address = '192.0.2.7') => auth.call('refresh', { ...withToken(token), address })
  const logIn = (token?: string) =>
    auth.call('login', {
      body: { username: 'ada', password: 'ada-secret-1' },
      headers: { 'user-agent': 'browser', ...(token === undefined ? {} : { cookie: `refresh_token=${token}` }) },
    })
  const counts = async (call: CalledRoute): Promise<boolean> =>
    auth.principal(accessIn(call)).then(
      () => true,
      () => false,
    )

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    await auth.register('ada')
    first = await logIn()
  })
  afterEach(endTestStores)

  it('3.3.1 3.3.2 3.3.3 3.3.4 hands the token out in a cookie that scripts and other sites do not get, for its lifetime', () => {
    expect(first.cookie).to.match(
      /^refresh_token=[0-9a-f-]{36}\.0\.[A-Za-z0-9_-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('3.3.2 sends the cookie along between sites only where pages and API are on different ones', async () => {
    const apart = await openAuthUnderTest({ crossSite: true })
    const { cookie } = await apart.call('register', { body: { username: 'bob', password: 'bob-secret-1' }, loopback: true })
    expect(cookie).to.match(/; SameSite=None$/)
  })

  it('gives a new access token and the next refresh token of the same session', async () => {
    const second = await refresh(tokenIn(first))
    expect(second.status).to.equal(200)
    expect(tokenIn(second)).to.not.equal(tokenIn(first))
    const [one, two] = await Promise.all([first, second].map((call) => auth.principal(accessIn(call))))
    expect(one?.sessionId).to.equal(two?.sessionId)
    expect(await auth.store.stored(sessions)).to.have.length(2)
  })

  it('7.2.3 stores nothing that a token could be made from', async () => {
    const proof = tokenIn(first).split('.')[2] ?? ''
    expect(proof).to.have.length(43)
    expect(JSON.stringify(await auth.store.stored(sessions))).to.not.contain(proof)
  })

  it('gives ten tabs that ask at once the same successor: one chain', async () => {
    auth.store.pause = turnOfTheLoop
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(tokenIn(first))))
    expect(new Set(answers.map(tokenIn)).size).to.equal(1)
    expect((await Promise.all(answers.map(counts))).every(Boolean)).to.equal(true)
  })

  it('gives the predecessor its successor again for ten seconds, from the same address and browser', async () => {
    const second = await refresh(tokenIn(first))
    await auth.clock.advance(10_000)
    expect(tokenIn(await refresh(tokenIn(first)))).to.equal(tokenIn(second))
    await auth.clock.advance(1)
    expect(await codeOf(refresh(tokenIn(first)))).to.equal('refresh_reused')
  })

  for (const [who, attempt] of [
    ['another address', (token: string) => refresh(token, '198.51.100.9')],
    ['another browser', (token: string) => auth.call('refresh', withToken(token, { 'user-agent': 'other' }))],
  ] as const) {
    it(`ends the session when the predecessor comes from ${who}`, async () => {
      const second = await refresh(tokenIn(first))
      expect(await codeOf(attempt(tokenIn(first)))).to.equal('refresh_reused')
      expect(await counts(second)).to.equal(false)
      expect(await codeOf(refresh(tokenIn(second)))).to.equal('unauthenticated')
    })
  }

  it('notices theft in either order', async () => {
    const stolen = tokenIn(first)
    const thief = await refresh(stolen, '198.51.100.9')
    expect(await codeOf(refresh(stolen))).to.equal('refresh_reused')
    expect(await counts(thief)).to.equal(false)

    const again = await logIn()
    const owner = await refresh(tokenIn(again))
    await auth.clock.advance(11_000)
    expect(await codeOf(refresh(tokenIn(again), '198.51.100.9'))).to.equal('refresh_reused')
    expect(await counts(owner)).to.equal(false)
  })

  it('forgives the immediate predecessor alone', async () => {
    const second = await refresh(tokenIn(first))
    await refresh(tokenIn(second))
    expect(await codeOf(refresh(tokenIn(first)))).to.equal('refresh_reused')
  })

  it('ends streams of the session when a token is used again', async () => {
    const { ended } = (await auth.authenticator.authenticate({ bearer: accessIn(first), cookies: {} })) ?? {}
    await refresh(tokenIn(first))
    await auth.clock.advance(11_000)
    await codeOf(refresh(tokenIn(first)))
    expect(ended?.aborted).to.equal(true)
  })

  it('7.3.2 slides with each rotation, up to ninety days after the sign-in', async () => {
    const day = 86_400_000
    let latest = first
    for (let passed = 0; passed < 84; passed += 6) {
      await auth.clock.advance(6 * day)
      latest = await refresh(tokenIn(latest))
    }
    expect(latest.cookie).to.contain(`Max-Age=${6 * 86_400};`)
    await auth.clock.advance(6 * day)
    expect(await codeOf(refresh(tokenIn(latest)))).to.equal('unauthenticated')
  })

  it('7.3.1 runs out when it is not used', async () => {
    await auth.clock.advance(604_800_000)
    expect(await codeOf(refresh(tokenIn(first)))).to.equal('unauthenticated')
  })

  for (const [what, change] of [
    ['nothing', () => ''],
    ['nonsense', () => 'nonsense'],
    ['another proof', (token: string) => token.replace(/.{43}$/, 'A'.repeat(43))],
    ['another generation', (token: string) => token.replace('.0.', '.1.')],
    ['another spelling of the generation', (token: string) => token.replace('.0.', '.00.')],
    ['another session', (token: string) => token.replace(/^[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0'))],
  ] as const) {
    it(`refuses ${what} and leaves the session alone`, async () => {
      expect(await codeOf(refresh(change(tokenIn(first))))).to.equal('unauthenticated')
      expect((await refresh(tokenIn(first))).status).to.equal(200)
    })
  }

  it('refuses who sends no cookie', async () => {
    expect(await codeOf(auth.call('refresh'))).to.equal('unauthenticated')
  })

  it('7.2.4 ends the session that the browser had when it signs in again, and no other', async () => {
    const elsewhere = await logIn()
    await logIn(tokenIn(first))
    expect(await counts(first)).to.equal(false)
    expect(await counts(elsewhere)).to.equal(true)
  })

  it('7.4.1 signs out at once, by the access token or by the cookie alone, and again without harm', async () => {
    const principal = await auth.principal(accessIn(first))
    const left = await auth.call('logout', { principal })
    expect(left.status).to.equal(204)
    expect(left.cookie).to.match(/^refresh_token=; Max-Age=0; /)
    expect(await counts(first)).to.equal(false)

    const second = await logIn()
    await auth.call('logout', withToken(tokenIn(second)))
    expect(await counts(second)).to.equal(false)
    expect((await auth.call('logout', withToken(tokenIn(second)))).status).to.equal(204)
    expect((await auth.call('logout')).status).to.equal(204)
  })

  describe('as a credential', () => {
    const byCookie = (token: string) => auth.authenticator.authenticate({ cookies: { refresh_token: token } })

    it('counts while it is the present one, or for ten seconds after, and is not replaced by it', async () => {
      expect((await byCookie(tokenIn(first)))?.principal).to.include({ username: 'ada' })
      const second = await refresh(tokenIn(first))
      expect((await byCookie(tokenIn(first)))?.principal.username).to.equal('ada')
      await auth.clock.advance(10_001)
      expect(await codeOf(byCookie(tokenIn(first)))).to.equal('unauthenticated')
      expect((await byCookie(tokenIn(second)))?.principal.username).to.equal('ada')
    })

    it('ends nothing when it is stale', async () => {
      const second = await refresh(tokenIn(first))
      await auth.clock.advance(11_000)
      await codeOf(byCookie(tokenIn(first)))
      expect(await counts(second)).to.equal(true)
    })

    it('gives way to a bearer', async () => {
      expect(await codeOf(auth.authenticator.authenticate({ bearer: 'nonsense', cookies: { refresh_token: tokenIn(first) } }))).to.equal(
        'unauthenticated',
      )
    })

    it('ends with its session', async () => {
      const { principal, ended } = (await byCookie(tokenIn(first))) ?? {}
      await auth.sessions.end(String(principal?.sessionId), '192.0.2.7')
      expect(ended?.aborted).to.equal(true)
      expect(await codeOf(byCookie(tokenIn(first)))).to.equal('unauthenticated')
    })
  })
})
