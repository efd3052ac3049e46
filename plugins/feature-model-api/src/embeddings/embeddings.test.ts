import { validate } from '@agent-service/sdk'
import { expect } from 'chai'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { embeddingList } from './embedding-list.js'
import { embeddingsRequestSchema, embedRequestOf } from './embeddings-request.js'

describe('a request for embeddings', () => {
  it('is a text or a list of texts, with a length', () => {
    expect(embedRequestOf({ model: 'm', input: 'a', dimensions: 3 }, 'u', createIgnoredFields())).to.deep.equal({
      ...{ group: 'm', inputs: ['a'], dimensions: 3, attribution: { userId: 'u' } },
    })
    expect(embedRequestOf({ model: 'm', input: ['a', 'b'] }, 'u', createIgnoredFields()).inputs).to.deep.equal(['a', 'b'])
  })

  it('has no tokens, no empty text, no agent, and no unknown member', () => {
    for (const input of [
      [1, 2],
      [[1], [2]],
      ['a', ''],
    ] as const)
      expect(() => embedRequestOf({ model: 'm', input: [...input] }, 'u', createIgnoredFields())).to.throw(/^input\[\d\] must be a text/)
    expect(() => embedRequestOf({ model: 'agent/x', input: 'a' }, 'u', createIgnoredFields())).to.throw('model is an agent')
    const paths = (body: object) => validate(embeddingsRequestSchema, body).map(({ path }) => path)
    expect(paths({ model: 'm', input: 'a' })).to.deep.equal([])
    expect(paths({ model: 'm', input: 'a', dimensions: null, encoding_format: null, user: null })).to.deep.equal([])
    const unknown = { model: 'm', input: 'a', task: 'query' }
    expect(() => embedRequestOf(unknown, 'u', createIgnoredFields())).to.throw(/^task is not a field that is known here/)
    expect(paths({ model: 'm', input: 'a', encoding_format: 'int8' })).to.deep.equal(['/encoding_format'])
    expect(paths({ model: 'm', input: [] })).to.deep.equal(['/input'])
  })

  it('is answered in pieces that are one JSON text', async () => {
    const vectors = Array.from({ length: 40 }, (_, row) => Array.from({ length: 1_024 }, (__, column) => row + column / 1_024))
    for (const encoding of ['float', 'base64'] as const) {
      const pieces: Uint8Array[] = []
      for await (const piece of embeddingList({ vectors, usage: { input_tokens: 7 } }, { model: 'a "group"', encoding })) pieces.push(piece)
      expect(pieces.length).to.be.greaterThan(2)
      const answer = JSON.parse(Buffer.concat(pieces).toString()) as {
        readonly data: readonly { readonly index: number; readonly embedding: string | readonly number[] }[]
      }
      expect(answer).to.deep.include({ object: 'list', model: 'a "group"', usage: { prompt_tokens: 7, total_tokens: 7 } })
      const read = answer.data.map(({ embedding }) => (typeof embedding === 'string' ? floatsIn(embedding) : embedding))
      expect(read).to.deep.equal(vectors)
      expect(answer.data.map(({ index }) => index)).to.deep.equal([...vectors.keys()])
    }
  })
})

function floatsIn(text: string): readonly number[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}
