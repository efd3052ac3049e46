import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { expect } from 'chai'
import { generateKeyPair } from 'jose'
import { createSignedTokens, headerTypeOf, type TokenKind } from './signed-tokens.js'
import type { SigningKeys } from './signing-keys.js'

const kind: TokenKind = { headerType: 'thing+jwt', claim: 'thing', audience: 'things', skew: false }
const subject = { userId: 'ada', tokenId: 'token-1' }

describe('createSignedTokens', () => {
  const clock = createControlledClock()
  let keys: SigningKeys
  const tokensOf = (changes: Partial<TokenKind> = {}, issuer = 'https://agents.example.org') =>
    createSignedTokens({ ...kind, ...changes }, { keys, clock, issuer: () => issuer })
  const reasonOf = async (token: string, changes: Partial<TokenKind> = {}, issuer?: string) => {
    const result = await tokensOf(changes, issuer).verify(token)
    return 'reason' in result ? result.reason : undefined
  }

  before(async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA')
    keys = {
      active: () => ({ kid: 'key-1', key: privateKey }),
      verificationKey: async (kid) => (kid === 'key-1' ? publicKey : undefined),
      keySet: () => ({ keys: [] }),
      rotate: () => Promise.resolve(),
    }
  })

  it('gives back what was signed', async () => {
    const { token, expiresAt } = await tokensOf().sign(subject, 60, { colour: 'red' })
    expect(await tokensOf().verify(token)).to.deep.nested.include({ 'claims.userId': 'ada', 'claims.tokenId': 'token-1' })
    expect(await tokensOf().verify(token)).to.deep.nested.include({ 'claims.expiresAt': expiresAt, 'claims.more': { colour: 'red' } })
    expect(headerTypeOf(token)).to.equal('thing+jwt')
  })

  for (const [what, changes] of [
    ['header type', { headerType: 'other+jwt' }],
    ['claim typ', { claim: 'other' }],
    ['audience', { audience: 'others' }],
  ] as const) {
    it(`9.2.2 9.2.3 refuses a token whose ${what} alone is another one`, async () => {
      const { token } = await tokensOf(changes).sign(subject, 60, {})
      expect(await reasonOf(token)).to.be.a('string')
      expect(await reasonOf(token, changes)).to.equal(undefined)
    })
  }

  it('9.2.3 refuses a token of another issuer, also one that it has seen', async () => {
    const { token } = await tokensOf().sign(subject, 60, {})
    expect(await reasonOf(token, {}, 'https://elsewhere.example.org')).to.be.a('string')
    let issuer = 'https://agents.example.org'
    const moving = createSignedTokens(kind, { keys, clock, issuer: () => issuer })
    expect(await moving.verify(token)).to.have.property('claims')
    issuer = 'https://elsewhere.example.org'
    expect(await moving.verify(token)).to.have.property('reason')
  })

  it('9.2.1 looks at the time of a token that it has seen', async () => {
    const [exact, lenient] = [tokensOf(), tokensOf({ skew: true })]
    const { token } = await exact.sign(subject, 60, {})
    for (const tokens of [exact, lenient]) expect(await tokens.verify(token)).to.have.property('claims')
    await clock.advance(60_000)
    expect(await exact.verify(token)).to.have.property('reason')
    expect(await lenient.verify(token)).to.have.property('claims')
    await clock.advance(30_000)
    expect(await lenient.verify(token)).to.have.property('reason')
  })

  it('reports no type for a text that is not a token', () => {
    for (const text of ['', 'a.b.c', 'svc_pat_1', `${Buffer.from('{"typ":7').toString('base64url')}.e30.AA`])
      expect(headerTypeOf(text)).to.equal(undefined)
  })
})
