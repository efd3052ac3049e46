import { expect } from 'chai'
import { emailCodeDigest, isSameDigest, makeEmailCode } from './email-codes.js'

const key = new Uint8Array(32).fill(1)
const owner = { userId: 'ada', email: 'ada@example.org' }
const digest = emailCodeDigest(key, owner, 'BCDF-2345')

describe('codes for e-mail addresses', () => {
  it('have one digest however they are typed', () => {
    for (const typed of ['BCDF2345', ' bcdf 2345 ', 'b-c-d-f-2-3-4-5'])
      expect(isSameDigest(emailCodeDigest(key, owner, typed), digest)).to.equal(true)
  })

  it('have another digest for another account, address, key or code', () => {
    const others = [
      emailCodeDigest(key, { ...owner, userId: 'eve' }, 'BCDF-2345'),
      emailCodeDigest(key, { ...owner, email: 'eve@example.org' }, 'BCDF-2345'),
      emailCodeDigest(new Uint8Array(32), owner, 'BCDF-2345'),
      emailCodeDigest(key, owner, 'BCDF-2346'),
      '',
    ]
    expect(others.map((other) => isSameDigest(other, digest))).to.deep.equal(others.map(() => false))
  })

  it('are others each time', () => {
    expect(new Set(Array.from({ length: 100 }, makeEmailCode)).size).to.equal(100)
  })
})
