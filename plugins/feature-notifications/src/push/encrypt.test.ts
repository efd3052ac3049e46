import { createECDH, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { areKeysSound, encryptMessage } from './encrypt.js'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

/** RFC 8291, Appendix A. */
const example = {
  plaintext: 'When I grow up, I want to be a watermelon',
  privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

describe('messages for browsers', () => {
  it('are those of the example of RFC 8291, byte for byte', () => {
    const { plaintext, p256dh, auth, privateKey, salt, message } = example
    expect(encryptMessage(plaintext, { p256dh, auth }, { privateKey, salt }).toString('base64url')).to.equal(message)
  })

  it('differ each time, and do not tell how long a short text is', () => {
    const { p256dh, auth } = example
    const [first, second] = ['a', 'b'.repeat(200)].map((text) => encryptMessage(text, { p256dh, auth }))
    expect(first?.length).to.equal(second?.length)
    expect(encryptMessage('a', { p256dh, auth }).equals(first as Buffer)).to.equal(false)
  })

  it('are at most 4,096 bytes, the most that every push service takes', () => {
    const { p256dh, auth } = example
    expect(encryptMessage('x'.repeat(3_800), { p256dh, auth }).length).to.be.at.most(4_096)
    expect(() => encryptMessage('x'.repeat(4_000), { p256dh, auth })).to.throw(RangeError, 'at most 4096 bytes')
  })

  it('need a public key on the curve and 16 bytes', () => {
    const curve = createECDH('prime256v1')
    const auth = randomBytes(16)
    expect(areKeysSound({ p256dh: curve.generateKeys(), auth })).to.equal(true)
    expect(areKeysSound({ p256dh: curve.getPublicKey(), auth: randomBytes(15) })).to.equal(false)
    expect(areKeysSound({ p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]), auth })).to.equal(false)
    expect(areKeysSound({ p256dh: Buffer.alloc(0), auth })).to.equal(false)
  })
})
