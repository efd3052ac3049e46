import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { problemWithIdToken } from './read-tokens.js'

const client = { clientId: 'me', tokenUrl: 'https://idp.test/token', issuer: 'https://idp.test' }
const claims = { iss: 'https://idp.test', aud: 'me', exp: 1_000, nonce: 'n' }
const idToken = (changes: JsonObject): string =>
  `h.${Buffer.from(JSON.stringify({ ...claims, ...changes }), 'utf8').toString('base64url')}.s`

describe('an ID token', () => {
  for (const [what, changes] of [
    ['as it was asked for', {}],
    ['for several, us among them', { aud: ['other', 'me'] }],
    ['a little over its end', { exp: 701 }],
  ] as const)
    it(`is accepted ${what}`, () => {
      expect(problemWithIdToken({ id_token: idToken(changes as JsonObject) }, client, { nonce: 'n', now: 1_000_000 })).to.equal(undefined)
    })

  for (const [what, changes, words] of [
    ['of another issuer', { iss: 'https://evil.test' }, 'another issuer (https://evil.test) than https://idp.test'],
    ['of an issuer that would break a line', { iss: 'a\r\nb' }, 'another issuer (without a readable name) than https://idp.test'],
    ['for another client', { aud: 'other' }, 'another client'],
    ['for a list without us', { aud: ['a', 'b'] }, 'another client'],
    ['that has expired', { exp: 699 }, 'expired'],
    ['without an expiry', { exp: 'never' }, 'expired'],
    ['of another sign-in', { nonce: 'other' }, 'another sign-in'],
    ['without a nonce', { nonce: null }, 'another sign-in'],
  ] as const)
    it(`is refused ${what}`, () => {
      expect(problemWithIdToken({ id_token: idToken(changes as JsonObject) }, client, { nonce: 'n', now: 1_000_000 })).to.contain(words)
    })

  it('is required if a nonce was sent', () => {
    expect(problemWithIdToken({}, client, { nonce: 'n', now: 0 })).to.contain('no ID token')
    expect(problemWithIdToken({}, client, { nonce: undefined, now: 0 })).to.equal(undefined)
    expect(problemWithIdToken({ id_token: 'damaged' }, client, { nonce: 'n', now: 0 })).to.contain('another issuer')
  })
})
