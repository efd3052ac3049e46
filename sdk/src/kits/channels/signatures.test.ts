import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { expect } from 'chai'
import { channelErrorKindOf } from '../../contracts/channel/errors.js'
import { toGsmCharacters } from './gsm.js'
import { channelHttpFailure } from './http-failure.js'
import { isRecent, isSameSecret, isSignedBy, isSignedByKey } from './signatures.js'

describe('signatures of webhooks', () => {
  it('are checked as Slack publishes it', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const given = 'a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
    const parts = ['v0:1531420618:', Buffer.from(body)]
    expect(isSignedBy({ secret: '8f742231b10e8888abcd99yyyzzz85a5', parts, given })).to.equal(true)
    expect(isSignedBy({ secret: '8f742231b10e8888abcd99yyyzzz85a5', parts, given: given.toUpperCase() })).to.equal(true)
    expect(isSignedBy({ secret: '8f742231b10e8888abcd99yyyzzz85a6', parts, given })).to.equal(false)
    expect(isSignedBy({ secret: '8f742231b10e8888abcd99yyyzzz85a5', parts: [...parts, ' '], given })).to.equal(false)
  })

  it('are checked with SHA-1 in base64, as telephony does', () => {
    const parts = ['https://town.example/hook?foo=1', 'CallSid', 'CA1', 'Digits', '1234']
    const given = createHmac('sha1', '12345').update(parts.join('')).digest('base64')
    expect(isSignedBy({ secret: '12345', parts, given, algorithm: 'sha1', encoding: 'base64' })).to.equal(true)
    expect(isSignedBy({ secret: '12345', parts, given: given.toLowerCase(), algorithm: 'sha1', encoding: 'base64' })).to.equal(false)
  })

  it('are refused without a secret, without a signature, and with one of another length', () => {
    const given = createHmac('sha256', '').update('x').digest('hex')
    expect(isSignedBy({ secret: '', parts: ['x'], given })).to.equal(false)
    expect(isSignedBy({ secret: 's', parts: ['x'], given: undefined })).to.equal(false)
    expect(isSignedBy({ secret: 's', parts: ['x'], given: '' })).to.equal(false)
    expect(isSameSecret('', '')).to.equal(false)
    expect(isSameSecret(undefined, 'a')).to.equal(false)
    expect(isSameSecret('a', 'a')).to.equal(true)
    expect(isSameSecret('ab', 'a')).to.equal(false)
  })

  it('are checked with a public key, as Discord does', () => {
    const { publicKey: key, privateKey } = generateKeyPairSync('ed25519')
    const publicKey = Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url').toString('hex')
    const parts = ['1700000000', new Uint8Array([0, 255, 10])]
    const given = sign(
      null,
      Buffer.concat(['1700000000', '\u0000'].map((text) => Buffer.from(text)).concat(Buffer.from([255, 10]))),
      privateKey,
    ).toString('hex')
    expect(isSignedByKey({ publicKey, parts, given })).to.equal(true)
    expect(isSignedByKey({ publicKey, parts: ['1700000001', ...parts.slice(1)], given })).to.equal(false)
    for (const wrong of ['', '00', 'f'.repeat(64), 'x'.repeat(64)])
      expect(isSignedByKey({ publicKey: wrong, parts, given })).to.equal(false)
    expect(isSignedByKey({ publicKey, parts, given: undefined })).to.equal(false)
  })

  it('are of a time around now', () => {
    const now = 1_700_000_000_000
    expect(['1700000000', '1699999700', '1700000300', '1700000000.5'].map((seconds) => isRecent(seconds, { now }))).to.deep.equal([
      true,
      true,
      true,
      true,
    ])
    for (const seconds of ['1699999699', '1700000301', '', 'now', '-1', '1e9', 'NaN', undefined, ' 1700000000'])
      expect(isRecent(seconds, { now }), String(seconds)).to.equal(false)
    expect(isRecent('1699999999', { now, windowMs: 10 })).to.equal(false)
  })
})

describe('failures of a vendor by status', () => {
  for (const [status, kind, whileSending] of [
    [401, 'auth', 'auth'],
    [403, 'auth', 'rejected'],
    [429, 'throttled', 'throttled'],
    [408, 'transient', 'transient'],
    [400, 'rejected', 'rejected'],
    [404, 'rejected', 'rejected'],
    [413, 'rejected', 'rejected'],
    [302, 'transient', 'unknown'],
    [500, 'transient', 'unknown'],
    [502, 'transient', 'unknown'],
    [503, 'transient', 'transient'],
    [504, 'transient', 'unknown'],
  ] as const) {
    it(`${status} is ${kind}, while sending ${whileSending}`, () => {
      expect(channelErrorKindOf(channelHttpFailure({ channel: 'Town', status }))).to.equal(kind)
      expect(channelErrorKindOf(channelHttpFailure({ channel: 'Town', status, sending: true }))).to.equal(whileSending)
    })
  }

  it('say how long to wait', () => {
    expect(channelHttpFailure({ channel: 'Town', status: 429, retryAfterMs: 1_500 }).details).to.deep.equal({
      channel: 'Town',
      retryAfterMs: 1_500,
    })
    expect(channelHttpFailure({ channel: 'Town', status: 429, retryAfterMs: undefined }).details).to.deep.equal({ channel: 'Town' })
  })
})

describe('typographic characters', () => {
  it('become those of text messages', () => {
    expect(toGsmCharacters('“Don’t – wait…” 👍')).to.equal('"Don\'t - wait..." 👍')
  })
})
