import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, openTestStore, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { authCollections, sessions, signingKeys, users } from '../records/records.js'
import { type AuthUnderTest, codeOf, fakeCipher, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

describe('createTokenAuthenticator', () => {
  let auth: AuthUnderTest
  let ada: SignedInBody

  const authenticate = (bearer: string) => auth.authenticator.authenticate({ bearer, cookies: {} })
  const refusal = (token: string): Promise<string> => codeOf(authenticate(token))

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    ada = await auth.register('ada')
  })
  afterEach(endTestStores)

  it('authenticates no one without a credential', async () => {
    expect(await auth.authenticator.authenticate({ cookies: { theme: 'dark' } })).to.equal(undefined)
  })

  it('takes the token from the header or the query, and lets the header decide alone', async () => {
    const token = ada.access_token
    expect((await auth.authenticator.authenticate({ queryToken: token, cookies: {} }))?.principal.username).to.equal('ada')
    expect(await codeOf(auth.authenticator.authenticate({ bearer: 'nonsense', queryToken: token, cookies: {} }))).to.equal(
      'unauthenticated',
    )
  })

  it('7.2.2 issues what the key set verifies, with the documented header and claims', async () => {
    const header = decodeProtectedHeader(ada.access_token)
    const claims = decodeJwt(ada.access_token)
    const { keys } = (await auth.call('getKeySet')).json as { readonly keys: readonly Readonly<Record<string, string>>[] }
    expect(keys).to.have.length(1)
    expect(keys[0]).to.include({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: header.kid }).and.not.have.property('d')
    expect(header).to.deep.equal({ alg: 'EdDSA', kid: keys[0]?.['kid'], typ: 'at+jwt' })
    expect(Object.keys(claims).sort()).to.deep.equal(['aud', 'exp', 'iat', 'iss', 'jti', 'role', 'sid', 'sub', 'typ'])
    expect(claims).to.include({ iss: 'http://localhost:3001', aud: 'agent-service', sub: ada.user.id, role: 'admin', typ: 'access' })
    expect(Number(claims.exp) - Number(claims.iat)).to.equal(900)
  })

  it('9.2.1 counts until its time is over, with half a minute for clocks that differ', async () => {
    const { expiresAt } = await auth.principal(ada.access_token)
    expect(expiresAt).to.equal(auth.clock.now() + 900_000)
    await auth.clock.advance(929_000)
    expect((await auth.principal(ada.access_token)).username).to.equal('ada')
    await auth.clock.advance(1_000)
    expect(await refusal(ada.access_token)).to.equal('unauthenticated')
  })

  it('9.2.1 refuses a token from the future', async () => {
    auth.clock.setNow(auth.clock.now() - 31_000)
    expect(await refusal(ada.access_token)).to.equal('unauthenticated')
  })

  it('does not count under another issuer, said once at the start', async () => {
    await auth.noteIssuer()
    const moved = await openAuthUnderTest({ store: auth.store, issuer: () => 'https://agents.example.org' })
    expect(await codeOf(moved.authenticator.authenticate({ bearer: ada.access_token, cookies: {} }))).to.equal('unauthenticated')
    await moved.noteIssuer()
    await moved.noteIssuer()
    expect(moved.log.lines.filter(({ level, message }) => level === 'warn' && message.includes('issuer'))).to.have.length(1)
  })

  it('goes on over a restart with the same key', async () => {
    const again = await openAuthUnderTest({ store: auth.store })
    expect((await again.principal(ada.access_token)).username).to.equal('ada')
    expect(await auth.store.stored(signingKeys)).to.have.length(1)
  })

  it('makes one key when several start at once', async () => {
    const store = await openTestStore({ collections: authCollections })
    store.pause = turnOfTheLoop
    const all = await Promise.all([1, 2, 3].map(() => openAuthUnderTest({ store })))
    const sets = await Promise.all(all.map(async (each) => JSON.stringify((await each.call('getKeySet')).json)))
    expect(new Set(sets).size).to.equal(1)
    expect(await store.stored(signingKeys)).to.have.length(1)
  })

  it('keeps the private key sealed, bound to its record', async () => {
    const [stored] = await auth.store.stored(signingKeys)
    const { id, private_sealed, public_jwk } = stored?.document ?? {}
    expect(public_jwk).not.to.have.property('d')
    expect(JSON.parse(String(private_sealed))).to.deep.include({
      binding: { record: `kernel.signing_keys/${id}`, field: 'private_sealed' },
    })
  })

  it('7.2.1 trusts the stored role, not the claim', async () => {
    const bob = await auth.register('bob')
    const record = await auth.accounts.get(bob.user.id)
    expect((await auth.principal(bob.access_token)).role).to.equal('user')
    if (record) await auth.store.database.collection(users).put({ ...record, role: 'admin' })
    expect((await auth.principal(bob.access_token)).role).to.equal('admin')
  })

  describe('the end of a credential', () => {
    it('7.4.1 refuses a session that was ended, at once, and tells those who are being served', async () => {
      const authentication = await authenticate(ada.access_token)
      const other = await auth.register('bob')
      const untouched = await authenticate(other.access_token)
      await auth.sessions.end(String(authentication?.principal.sessionId), '192.0.2.7')
      expect(authentication?.ended.aborted).to.equal(true)
      expect(untouched?.ended.aborted).to.equal(false)
      expect(await refusal(ada.access_token)).to.equal('unauthenticated')
      await auth.sessions.end(String(authentication?.principal.sessionId), '192.0.2.7')
    })

    it('7.4.2 refuses a disabled account, at once, on all of its sessions', async () => {
      const bob = await auth.register('bob')
      const again = (await auth.call('login', { body: { username: 'bob', password: 'bob-secret-1' } })).json as SignedInBody
      const served = await Promise.all([bob, again].map(({ access_token }) => authenticate(access_token)))
      await auth.administration.change(bob.user.id, { disabled: true }, noActor)
      expect(served.map((each) => each?.ended.aborted)).to.deep.equal([true, true])
      expect(await refusal(bob.access_token)).to.equal('unauthenticated')
      expect((await auth.principal(ada.access_token)).username).to.equal('ada')
    })

    it('keeps the sessions of an account ended that is enabled again, over a restart too', async () => {
      const bob = await auth.register('bob')
      await auth.administration.change(bob.user.id, { disabled: true }, noActor)
      const enabled = await auth.administration.change(bob.user.id, { disabled: false }, noActor)
      expect(enabled?.disabled).to.equal(false)
      expect(await refusal(bob.access_token)).to.equal('unauthenticated')
      if (enabled) expect((await auth.sessions.listOf(enabled, {})).items).to.deep.equal([])
      auth = await openAuthUnderTest({ store: auth.store })
      expect(await refusal(bob.access_token)).to.equal('unauthenticated')
      const anew = (await auth.call('login', { body: { username: 'bob', password: 'bob-secret-1' } })).json as SignedInBody
      expect((await auth.principal(anew.access_token)).username).to.equal('bob')
    })

    it('sees an end that happens while it looks', async () => {
      const { sessionId } = await auth.principal(ada.access_token)
      auth.store.pause = turnOfTheLoop
      const results = await Promise.all(
        Array.from({ length: 20 }, async (_, turn) => {
          for (let wait = 0; wait < turn; wait += 1) await turnOfTheLoop()
          if (turn === 6) await auth.sessions.end(String(sessionId), '192.0.2.7')
          return auth.authenticator.authenticate({ bearer: ada.access_token, cookies: {} }).catch(() => undefined)
        }),
      )
      const proven = results.filter((result) => result !== undefined)
      expect(proven.length).to.be.greaterThan(0)
      for (const authentication of proven) expect(authentication.ended.aborted).to.equal(true)
    })

    it('does not abort a released watch', async () => {
      const authentication = await authenticate(ada.access_token)
      authentication?.release()
      authentication?.release()
      await auth.sessions.end(String(authentication?.principal.sessionId), '192.0.2.7')
      expect(authentication?.ended.aborted).to.equal(false)
    })

    it('deletes records of sessions a day after their credentials are over, and keeps the rest', async () => {
      await auth.clock.advance(8 * 86_400_000 + 1)
      await auth.register('bob')
      for (const job of auth.jobs) await job.run({ signal: new AbortController().signal, epoch: 1 })
      expect(await auth.store.stored(sessions)).to.have.length(1)
    })
  })

  describe('forged and foreign tokens', () => {
    const header = (token: string): Record<string, unknown> => ({ ...decodeProtectedHeader(token) })
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

    it('9.1.1 are refused whatever single character is changed', async () => {
      const token = ada.access_token
      for (let index = 0; index < token.length; index += 1) {
        if (token[index] === '.') continue
        const other = token[index] === 'A' ? 'B' : 'A'
        expect(await refusal(`${token.slice(0, index)}${other}${token.slice(index + 1)}`)).to.equal('unauthenticated')
      }
    })

    it('9.1.2 are refused with the algorithm none, or with the public key as a secret', async () => {
      const [, payload] = ada.access_token.split('.')
      expect(await refusal(`${encode({ ...header(ada.access_token), alg: 'none' })}.${payload}.`)).to.equal('unauthenticated')
      expect(await refusal(`${encode({ ...header(ada.access_token), alg: 'none' })}.${payload}.AA`)).to.equal('unauthenticated')
      const { keys } = (await auth.call('getKeySet')).json as { readonly keys: readonly { readonly x: string; readonly kid: string }[] }
      const confused = await new SignJWT(decodeJwt(ada.access_token))
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(keys[0]?.kid) })
        .sign(Buffer.from(String(keys[0]?.x), 'base64url'))
      expect(await refusal(confused)).to.equal('unauthenticated')
    })

    it('9.1.3 are refused when they bring their own key, or name none or an unknown one', async () => {
      const pair = await generateKeyPair('EdDSA', { extractable: true })
      const jwk = await exportJWK(pair.publicKey)
      const claims = decodeJwt(ada.access_token)
      for (const extra of [
        { jwk },
        { jku: 'http://127.0.0.1:1/keys' },
        { x5u: 'http://127.0.0.1:1/' },
        { x5c: ['MIIB'] },
        { x5t: 'AAAA' },
        {},
        { kid: 'unknown' },
        { kid: '../../etc' },
      ]) {
        const token = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: String(header(ada.access_token)['kid']), ...extra })
          .sign(pair.privateKey)
        expect(await refusal(token)).to.equal('unauthenticated')
      }
    })

    it('9.2.2 9.2.3 9.2.4 are refused when this very key signed them for something else, and accepted as they should be', async () => {
      const [stored] = await auth.store.stored(signingKeys)
      const { id: kid = '', private_sealed = '' } = stored?.document ?? {}
      const binding = { record: `kernel.signing_keys/${kid}`, field: 'private_sealed' }
      const opened = Buffer.from(await fakeCipher.open(private_sealed, binding)).toString('utf8')
      const key = await importJWK(JSON.parse(opened) as JWK, 'EdDSA')
      const claims = decodeJwt(ada.access_token)
      const sign = (changes: Readonly<Record<string, unknown>>, typ: string | undefined = 'at+jwt'): Promise<string> => {
        const changed = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined)
        return new SignJWT(Object.fromEntries(changed)).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(key)
      }
      expect((await auth.principal(await sign({}))).username).to.equal('ada')
      for (const typ of ['JWT', 'presign', 'ephemeral']) expect(await refusal(await sign({}, typ)), typ).to.equal('unauthenticated')
      for (const changes of [
        { aud: 'somebody-else' },
        { iss: 'http://localhost:3002' },
        { typ: 'refresh' },
        { sub: 7 },
        { sub: 'nobody' },
        { sid: 'no-session' },
        { exp: Number(claims.iat) - 31 },
        { iat: Number(claims.iat) + 31 },
        ...['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'typ'].map((name) => ({ [name]: undefined })),
      ]) {
        expect(await refusal(await sign(changes)), JSON.stringify(changes)).to.equal('unauthenticated')
      }
    })

    for (const [what, token] of [
      ['nothing', ''],
      ['one part', 'abc'],
      ['four parts', 'a.b.c.d'],
      ['white space', ' a.b.c'],
      ['padding', 'YQ==.YQ==.YQ=='],
      ['more than 8 kB', `a.${'b'.repeat(9_000)}.c`],
      ['NUL', 'a\u0000.b.c'],
    ] as const) {
      it(`are refused: ${what}`, async () => {
        expect(await refusal(token)).to.equal('unauthenticated')
      })
    }
  })
})
