import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { type AuthUnderTest, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

describe('guessing at a name', () => {
  const stranger = '203.0.113.66'
  let auth: AuthUnderTest

  /**
   * The outcome of an attempt, and after how many milliseconds on the service's clock it came; at
   * most `limitMs` are waited.
   */
  const attempt = async (username: string, password: string, address = stranger, limitMs = 40_000) => {
    const startedAt = auth.clock.now()
    let outcome: string | undefined
    const settled = auth.call('login', { body: { username, password }, address }).then(
      () => 'signed in',
      (error: { readonly code: string }) => error.code,
    )
    void settled.then((value) => {
      outcome = value
    })
    // Real hashing happens in between, so the clock moves on only while the attempt waits for it.
    while (outcome === undefined && auth.clock.now() - startedAt < limitMs) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (outcome === undefined && auth.clock.pending() > 0) await auth.clock.advance(500)
    }
    return { outcome: await settled, waitedMs: auth.clock.now() - startedAt }
  }
  const guess = async (username: string, times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) await attempt(username, 'wrong password')
  }

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    await auth.register('ada', {})
  })
  afterEach(endTestStores)

  it('6.3.1 is free for five attempts, then waits longer each time', async () => {
    const waits: number[] = []
    for (let count = 0; count < 8; count += 1) waits.push((await attempt('ada', 'wrong password')).waitedMs)
    expect(waits.slice(0, 5)).to.deep.equal([0, 0, 0, 0, 0])
    expect(waits.slice(5)).to.deep.equal([1_000, 2_000, 4_000])
  })

  it('6.3.8 is slowed alike where there is no such account', async () => {
    await guess('nobody', 6)
    expect(await attempt('nobody', 'wrong password')).to.deep.equal({ outcome: 'invalid_credentials', waitedMs: 2_000 })
  })

  it('counts the name in whichever case it is typed, and each name for itself', async () => {
    await guess(' ADA ', 6)
    expect((await attempt('ada', 'wrong password')).waitedMs).to.equal(2_000)
    expect((await attempt('bob', 'wrong password')).waitedMs).to.equal(0)
  })

  it('does not slow the right password from an address that has signed in before, and forgets then', async () => {
    await guess('ada', 9)
    expect(await attempt('ada', 'ada-secret-1', '192.0.2.7')).to.deep.equal({ outcome: 'signed in', waitedMs: 0 })
    expect((await attempt('ada', 'wrong password')).waitedMs).to.equal(0)
  })

  it('slows a wrong password from that address, and the right one from a stranger’s', async () => {
    await guess('ada', 6)
    expect((await attempt('ada', 'wrong password', '192.0.2.7')).waitedMs).to.equal(2_000)
    expect(await attempt('ada', 'ada-secret-1')).to.deep.equal({ outcome: 'signed in', waitedMs: 4_000 })
  })

  it('refuses what would wait too long, and does not let those who push lengthen the line', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    const push = (): Promise<string> =>
      auth.call('login', { body: { username: 'ada', password: 'wrong password' }, address: stranger, signal }).then(
        () => 'signed in',
        (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
      )
    const outcomes: string[] = []
    for (let count = 0; count < 40; count += 1) outcomes.push(await push())
    expect(outcomes.at(-1)).to.equal('rate_limited')
    await auth.clock.advance(31_000)
    expect(await push()).to.not.equal('rate_limited')
  })

  it('is forgotten after a quarter of an hour', async () => {
    await guess('ada', 6)
    await auth.clock.advance(15 * 60_000)
    expect((await attempt('ada', 'wrong password')).waitedMs).to.equal(0)
  })

  it('reports to a refused caller when to retry', async () => {
    const refused = { body: { username: 'ada', password: 'x' }, address: stranger, signal: AbortSignal.abort(new Error('gone')) }
    for (let count = 0; count < 40; count += 1) await auth.call('login', refused).catch(() => undefined)
    const error: unknown = await auth.call('login', refused).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('retryAfterSeconds').that.is.within(30, 61)
    expect(await codeOf(auth.call('login', refused))).to.equal('rate_limited')
  })
})
