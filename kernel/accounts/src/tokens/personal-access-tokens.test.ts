import { crc32 } from 'node:zlib'
import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { isWholeTokenText, makeTokenText } from '../keys/token-text.js'
import { personalAccessTokens } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

interface NewToken {
  readonly id: string
  readonly token: string
  readonly scopes: readonly string[]
  readonly expires_at: string | null
}

describe('personal access tokens', () => {
  let auth: AuthUnderTest
  let principal: Principal

  const create = async (body: Readonly<Record<string, unknown>> = {}, by: Principal = principal): Promise<NewToken> =>
    (await auth.call('createToken', { principal: by, body: { name: 'backup script', ...body } })).json as NewToken
  const authenticate = (bearer: string) => auth.authenticator.authenticate({ bearer, cookies: {} })

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    principal = await auth.principal((await auth.register('ada')).access_token)
  })
  afterEach(endTestStores)

  it('7.2.3 has a marker, 178 random bits, and a checksum that scanners can test', () => {
    const text = makeTokenText()
    expect(text).to.match(/^svc_pat_[0-9A-Za-z]{36}$/)
    expect(makeTokenText()).to.not.equal(text)
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const checksum = [...text.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(checksum).to.equal(crc32(text.slice(0, -6)))
    for (let position = 0; position < text.length; position += 1) {
      const other = text[position] === 'x' ? 'y' : 'x'
      expect(isWholeTokenText(`${text.slice(0, position)}${other}${text.slice(position + 1)}`), `position ${position}`).to.equal(false)
    }
  })

  it('proves its user with the scopes that it was given, and is stored as a digest alone', async () => {
    const made = await create({ scopes: ['read'] })
    const proven = (await authenticate(made.token))?.principal
    expect(proven).to.include({ username: 'ada', role: 'admin' }).and.not.have.property('sessionId')
    expect(proven?.scopes).to.deep.equal(['read'])
    expect(JSON.stringify(await auth.store.stored(personalAccessTokens))).to.not.contain(made.token.slice(12))
  })

  it('gets read, write and inference unless it is said otherwise, and does not end by itself', async () => {
    const made = await create()
    expect(made.scopes).to.deep.equal(['read', 'write', 'inference'])
    expect(made.expires_at).to.equal(null)
    await auth.clock.advance(10 * 365 * 86_400_000)
    expect((await authenticate(made.token))?.principal.username).to.equal('ada')
  })

  it('ends on the day that was asked for', async () => {
    const made = await create({ expires_in_days: 2 })
    await auth.clock.advance(2 * 86_400_000 - 1)
    expect((await authenticate(made.token))?.principal.expiresAt).to.equal(auth.clock.now() + 1)
    await auth.clock.advance(1)
    expect(await codeOf(authenticate(made.token))).to.equal('unauthenticated')
  })

  it('is listed without what it is proven by, the latest first', async () => {
    const one = await create({ name: 'one' })
    await auth.clock.advance(1)
    const two = await create({ name: 'two' })
    const { items } = (await auth.call('listTokens', { principal })).json as {
      readonly items: readonly Readonly<Record<string, unknown>>[]
    }
    expect(items.map(({ id }) => id)).to.deep.equal([two.id, one.id])
    expect(items[0])
      .to.include({ name: 'two', prefix: two.token.slice(0, 12) })
      .and.not.have.any.keys('token', 'digest')
  })

  it('7.4.1 does not count once it is revoked: the next request is refused, and streams end', async () => {
    const made = await create()
    const { ended } = (await authenticate(made.token)) ?? {}
    expect((await auth.call('revokeToken', { principal, params: { token_id: made.id } })).status).to.equal(204)
    expect(ended?.aborted).to.equal(true)
    expect(await codeOf(authenticate(made.token))).to.equal('unauthenticated')
    expect(await codeOf(auth.call('revokeToken', { principal, params: { token_id: made.id } }))).to.equal('not_found')
  })

  it('cannot be revoked by somebody else', async () => {
    const made = await create()
    const other = await auth.principal((await auth.register('bob')).access_token)
    expect(await codeOf(auth.call('revokeToken', { principal: other, params: { token_id: made.id } }))).to.equal('not_found')
  })

  it('stays when sessions end, and ends with the account', async () => {
    const bob = await auth.register('bob')
    const made = await create({}, await auth.principal(bob.access_token))
    await auth.call('logout', { principal: await auth.principal(bob.access_token) })
    const { ended } = (await authenticate(made.token)) ?? {}
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    expect(ended?.aborted).to.equal(true)
    expect(await codeOf(authenticate(made.token))).to.equal('unauthenticated')
  })

  it('notes its use, at most once a minute', async () => {
    const made = await create()
    const lastUse = async () => (await auth.personalTokens.get(made.id))?.last_used_at
    const noted = async (expected: string): Promise<void> => {
      while ((await lastUse()) !== expected) await new Promise((resolve) => setImmediate(resolve))
    }
    await authenticate(made.token)
    const first = new Date(auth.clock.now()).toISOString()
    await noted(first)
    await auth.clock.advance(59_999)
    await authenticate(made.token)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await lastUse()).to.equal(first)
    await auth.clock.advance(1)
    await authenticate(made.token)
    await noted(new Date(auth.clock.now()).toISOString())
  })

  for (const [operation, request] of [
    ['createToken', { body: { name: 'another' } }],
    ['revokeToken', { params: { token_id: 'whatever' } }],
    ['changePassword', { body: { current_password: 'ada-secret-1', new_password: 'ada-secret-2' } }],
    ['changeUsername', { body: { username: 'eve' } }],
    ['changeOwnProfile', { body: { email: 'eve@example.org' } }],
    ['endSession', { params: { session_id: 'whatever' } }],
  ] as const) {
    it(`may not ${operation}`, async () => {
      const proven = (await authenticate((await create()).token))?.principal
      if (!proven) throw new Error('Nobody was proven.')
      expect(await codeOf(auth.call(operation, { principal: proven, ...request }))).to.equal('session_required')
    })
  }

  it('may list tokens and change name and time zone', async () => {
    const proven = (await authenticate((await create()).token))?.principal
    if (!proven) throw new Error('Nobody was proven.')
    expect((await auth.call('listTokens', { principal: proven })).status).to.equal(200)
    expect((await auth.call('changeOwnProfile', { principal: proven, body: { name: 'Ada' } })).json).to.include({ name: 'Ada' })
  })

  it('has the scope admin only from an admin', async () => {
    const bob = await auth.principal((await auth.register('bob')).access_token)
    expect(await codeOf(create({ scopes: ['admin'] }, bob))).to.equal('invalid_request')
    expect((await create({ scopes: ['admin'] })).scopes).to.deep.equal(['admin'])
  })

  it('needs a name that says something, and there are two hundred at most', async () => {
    expect(await codeOf(create({ name: '   ' }))).to.equal('invalid_request')
    for (let count = 0; count < 200; count += 1) await create()
    expect(await codeOf(create())).to.equal('too_many_tokens')
  })
})
