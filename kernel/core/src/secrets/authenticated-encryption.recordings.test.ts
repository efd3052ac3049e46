import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { decrypt, encrypt } from './authenticated-encryption.js'

interface Vectors {
  readonly numberOfTests: number
  readonly testGroups: readonly {
    readonly ivSize: number
    readonly keySize: number
    readonly tagSize: number
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly key: string
      readonly iv: string
      readonly aad: string
      readonly msg: string
      readonly ct: string
      readonly tag: string
      readonly result: 'valid' | 'invalid' | 'acceptable'
    }[]
  }[]
}

const fixtures = process.env['FIXTURES_DIR'] ?? resolve(fileURLToPath(new URL('../../../..', import.meta.url)), '../shared/fixtures')
const bytes = (text: string): Buffer => Buffer.from(text, 'hex')

describe('AES-256-GCM, by the vectors of Wycheproof', () => {
  const read = (): Vectors => JSON.parse(readFileSync(join(fixtures, 'wycheproof', 'aes_gcm_test.json'), 'utf8')) as Vectors

  it('encrypts and decrypts every vector of its lengths, and refuses every forged one', () => {
    let valid = 0
    let forged = 0
    for (const group of read().testGroups.filter(({ keySize, ivSize, tagSize }) => keySize === 256 && ivSize === 96 && tagSize === 128)) {
      for (const test of group.tests) {
        const [key, nonce, aad] = [bytes(test.key), bytes(test.iv), bytes(test.aad)]
        const sealed = Buffer.concat([bytes(test.ct), bytes(test.tag)])
        const opened = decrypt(key, nonce, sealed, aad)
        if (test.result === 'valid') {
          valid += 1
          expect(opened && Buffer.from(opened).toString('hex'), `${test.tcId} ${test.comment}`).to.equal(test.msg)
          expect(Buffer.from(encrypt(key, nonce, bytes(test.msg), aad)).toString('hex'), `${test.tcId}`).to.equal(test.ct + test.tag)
        } else {
          forged += 1
          expect(opened, `${test.tcId} ${test.comment}`).to.equal(undefined)
        }
      }
    }
    expect(valid).to.be.above(30)
    expect(forged).to.be.above(20)
  })

  it('refuses every vector of other lengths', () => {
    let refused = 0
    for (const group of read().testGroups.filter(({ keySize, ivSize }) => keySize !== 256 || ivSize !== 96)) {
      for (const test of group.tests) {
        expect(() => decrypt(bytes(test.key), bytes(test.iv), bytes(test.ct + test.tag), bytes(test.aad)), `${test.tcId}`).to.throw(
          RangeError,
        )
        refused += 1
      }
    }
    expect(refused).to.be.above(100)
  })
})
