import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { credentialDenials } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

const actor = { kind: 'agent', id: '0199a3f0-6f1c-7c3e-9d0a-4a3c1f0f8b52', purpose: 'sandbox' } as const

describe('ephemeral tokens', () => {
  let auth: AuthUnderTest
  let ada: SignedInBody
  let bob: SignedInBody

  const issue = (user: SignedInBody) => auth.ephemeralTokens.issue({ userId: user.user.id, actor })
  const refusal = (token: string): Promise<string> => codeOf(auth.principal(token))
  const runJobs = async (): Promise<void> => {
    for (const job of auth.jobs) await job.run({ signal: new AbortController().signal, epoch: 1 })
  }

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    ada = await auth.register('ada')
    bob = await auth.register('bob')
  })
  afterEach(endTestStores)

  it('stand for the user, and say who acts and for what', async () => {
    const { token, expiresAt, grantId } = await issue(bob)
    expect(await auth.principal(token)).to.deep.equal({
      ...{ userId: bob.user.id, username: 'bob', handle: 'bob', role: 'user', scopes: ['read', 'write', 'inference'] },
      ...{ tokenId: grantId, actor, expiresAt },
    })
    expect(expiresAt).to.equal(auth.clock.now() + 300_000)
  })

  it('are no admin, whoever the user is and whatever was asked for', async () => {
    const scopes = ['read', 'admin', 'metrics'] as unknown as readonly Exclude<AccessScope, 'admin' | 'metrics'>[]
    const { token } = await auth.ephemeralTokens.issue({ userId: ada.user.id, actor, scopes })
    expect(decodeJwt(token)['scopes']).to.deep.equal(['read'])
    expect(await auth.principal(token)).to.deep.include({ role: 'user', scopes: ['read'] })
  })

  it('are refused for deleted and disabled users', async () => {
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    expect(await codeOf(issue(bob))).to.equal('not_found')
    expect(await codeOf(auth.ephemeralTokens.issue({ userId: 'nobody', actor }))).to.equal('not_found')
  })

  it('9.2.1 count until their time is over, and not a moment longer', async () => {
    const { token } = await issue(bob)
    await auth.clock.advance(299_999)
    expect((await auth.principal(token)).username).to.equal('bob')
    await auth.clock.advance(1)
    expect(await refusal(token)).to.equal('unauthenticated')
  })

  for (const [what, end] of [
    ['the user is disabled', () => auth.administration.change(bob.user.id, { disabled: true }, noActor)],
    ['the user is deleted', () => auth.administration.delete(bob.user.id, noActor)],
    ['an admin sets a password', () => auth.administration.change(bob.user.id, { password: 'battery staple' }, noActor)],
  ] as const) {
    it(`7.4.2 end at once when ${what}, and so does what they are served`, async () => {
      const { token } = await issue(bob)
      const untouched = (await issue(ada)).token
      const served = await auth.authenticator.authenticate({ bearer: token, cookies: {} })
      await end()
      expect(served?.ended.aborted).to.equal(true)
      expect(await refusal(token)).to.equal('unauthenticated')
      expect((await auth.principal(untouched)).username).to.equal('ada')
    })
  }

  it('7.4.2 stay ended when the account is enabled again, over a restart too', async () => {
    const { token } = await issue(bob)
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    await auth.administration.change(bob.user.id, { disabled: false }, noActor)
    expect(await refusal(token)).to.equal('unauthenticated')
    const again = await openAuthUnderTest({ store: auth.store })
    expect(await codeOf(again.principal(token))).to.equal('unauthenticated')
  })

  it('7.4.3 end when the user changes the password, with the other sessions', async () => {
    const { token } = await issue(bob)
    const served = await auth.authenticator.authenticate({ bearer: token, cookies: {} })
    const body = { current_password: 'bob-secret-1', new_password: 'battery staple' }
    await auth.call('changePassword', { principal: await auth.principal(bob.access_token), body })
    expect(served?.ended.aborted).to.equal(true)
    expect(await refusal(token)).to.equal('unauthenticated')
    expect((await auth.principal((await issue(bob)).token)).username).to.equal('bob')
  })

  it('end with their grant, at once and over a restart; what denies them is forgotten when they would be over', async () => {
    const { token, grantId } = await issue(bob)
    const other = (await issue(bob)).token
    const served = await auth.authenticator.authenticate({ bearer: token, cookies: {} })
    await auth.ephemeralTokens.revoke(bob.user.id, grantId)
    await auth.ephemeralTokens.revoke(bob.user.id, grantId)
    expect(served?.ended.aborted).to.equal(true)
    expect(await refusal(token)).to.equal('unauthenticated')
    expect((await auth.principal(other)).username).to.equal('bob')
    const again = await openAuthUnderTest({ store: auth.store })
    expect(await codeOf(again.principal(token))).to.equal('unauthenticated')
    await runJobs()
    expect(await auth.store.stored(credentialDenials)).to.have.length(1)
    await auth.clock.advance(301_001)
    await runJobs()
    expect(await auth.store.stored(credentialDenials)).to.deep.equal([])
  })

  it('leave no data of a deleted user', async () => {
    const { grantId } = await issue(bob)
    await auth.administration.delete(bob.user.id, noActor)
    await auth.ephemeralTokens.revoke(bob.user.id, grantId)
    expect(await auth.store.stored(credentialDenials)).to.deep.equal([])
  })

  it('see an end that happens while they are looked at', async () => {
    const { token, grantId } = await issue(bob)
    const authenticate = () => auth.authenticator.authenticate({ bearer: token, cookies: {} }).catch(() => undefined)
    const before = await authenticate()
    auth.store.pause = turnOfTheLoop
    const during = await Promise.all(
      Array.from({ length: 20 }, async (_, turn) => {
        for (let wait = 0; wait < turn; wait += 1) await turnOfTheLoop()
        if (turn === 6) await auth.ephemeralTokens.revoke(bob.user.id, grantId)
        return authenticate()
      }),
    )
    // How many of them come through depends on the machine; none of these outlives the end.
    expect(before).to.not.equal(undefined)
    for (const authentication of [before, ...during]) expect(authentication?.ended.aborted ?? true).to.equal(true)
    expect(await authenticate()).to.equal(undefined)
  })
})
