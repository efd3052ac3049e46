import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { importJWK, type JWK } from 'jose'
import { isCompactToken, verifyStrictToken } from './strict-token.js'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const fixtures = resolve(repository, process.env['FIXTURES_DIR'] ?? '../shared/fixtures')

interface Vector {
  readonly tcId: number
  readonly jws: string
  readonly result: 'valid' | 'invalid' | 'acceptable'
}

interface VectorFile {
  readonly testGroups: readonly { readonly public?: JWK; readonly private: JWK; readonly tests: readonly Vector[] }[]
}

/** Where we differ from the vectors, by number, and why. */
const differences: Readonly<Record<string, readonly number[]>> = {
  'an empty payload is a signature, but no token': [259, 264, 268, 272, 320, 325],
  'the header names another algorithm than the key, or one that does not exist (ES521)': [346, 347, 350, 351],
  'characters outside base64url are passed over by lenient decoders only': [372, 373],
  'their text is that of the valid vector 357, to the letter': [367, 370],
}

describe('verifyStrictToken against the JSON web signature vectors of Wycheproof', () => {
  let groups: VectorFile['testGroups']

  before(async () => {
    const text = await readFile(resolve(fixtures, 'wycheproof/json_web_signature_test.json'), 'utf8')
    groups = (JSON.parse(text) as VectorFile).testGroups
  })

  /**
   * The vectors sign arbitrary bytes. That these are no claims is found after the signature held,
   * and means that it did.
   */
  const signatureHolds = async (jwk: JWK, token: string): Promise<boolean> => {
    try {
      const algorithm = String(jwk.alg)
      const key = await importJWK(jwk, algorithm)
      await verifyStrictToken(token, { algorithm, keyOf: async () => key, claims: {} })
      return true
    } catch (error) {
      return error instanceof Error && error.message === 'JWT Claims Set must be a top-level JSON object'
    }
  }

  it('9.1.1 9.1.2 agrees with all of them but those that are listed with a reason', async () => {
    const found: number[] = []
    let vectors = 0
    for (const group of groups) {
      for (const { tcId, jws, result } of group.tests) {
        vectors += 1
        const holds = await signatureHolds(group.public ?? group.private, jws)
        if (holds !== (result === 'valid')) found.push(tcId)
      }
    }
    expect(vectors).to.equal(401)
    expect(found.sort((a, b) => a - b)).to.deep.equal(
      Object.values(differences)
        .flat()
        .sort((a, b) => a - b),
    )
  })

  it('accepts an invalid one only where its text is that of a valid one', () => {
    const vectors = groups.flatMap(({ tests }) => tests)
    const textOf = (id: number): string | undefined => vectors.find(({ tcId }) => tcId === id)?.jws
    expect([textOf(367), textOf(370)]).to.deep.equal([textOf(357), textOf(357)])
  })
})

describe('isCompactToken', () => {
  it('knows one spelling of each token', () => {
    expect(isCompactToken('eyJh.eyJh.QQ')).to.equal(true)
    for (const spelling of [
      'eyJh.eyJh.QR',
      'eyJh.eyJh.QQ==',
      'eyJh.eyJh.Q Q',
      'eyJh.eyJh.',
      'eyJh.eyJh.Q',
      'eyJh.eyJh.QQ\n',
      'ey/h.eyJh.QQ',
    ]) {
      expect(isCompactToken(spelling), spelling).to.equal(false)
    }
  })
})
