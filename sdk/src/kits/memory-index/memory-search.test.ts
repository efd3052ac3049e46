import { expect } from 'chai'
import fc from 'fast-check'
import { createTestClock } from '../../testing/fakes/test-clock.js'
import { createIndexCache } from './lexical/index-cache.js'
import type { MemoryDocument } from './lexical/memory-index.js'
import { createMemorySearch } from './memory-search.js'
import { openVector, packVector, similarityOf } from './vectors/packed-vector.js'
import { createVectorSearch } from './vectors/vector-search.js'
import type { StoredVector, VectorStore } from './vectors/vector-store.js'

const { signal } = new AbortController()

/** Two meanings: animals and drinks. */
const meaningOf = (text: string): readonly number[] => [
  /dog|cat|pet|animal/.test(text) ? 1 : 0.01,
  /tea|coffee|drink|beverage/.test(text) ? 1 : 0.01,
]

function start() {
  const clock = createTestClock()
  const documents = new Map<string, MemoryDocument>()
  const stored = new Map<string, StoredVector>()
  const inputs: string[] = []
  const model = { space: 'one/2', failure: undefined as Error | undefined, failing: 'any', offered: true, silent: false }
  const warnings: string[] = []
  const state = { version: 1 }
  const store: VectorStore = {
    async *read() {
      yield* stored.values()
    },
    async write(_userId, vectors) {
      for (const vector of vectors) if (documents.has(vector.id)) stored.set(vector.id, vector)
    },
    async remove(_userId, ids) {
      for (const id of ids) stored.delete(id)
    },
  }
  const options = {
    ...{ clock, signal, store, log: { warn: (message: string) => void warnings.push(message) } },
    versionOf: async () => state.version,
    load: async () => ({ version: state.version, documents: [...documents.values()] }),
    inference: {
      groups: () => [{ name: 'embedding', provider: 'p', model: 'm', context_window: 1, ...(model.offered && { embeds: true as const }) }],
      async embed(request: { readonly inputs: readonly string[]; readonly purpose?: string; readonly attribution?: object }) {
        expect(request.attribution).to.deep.equal({ userId: 'ada', purpose: 'memory' })
        if (model.failure && [request.purpose, 'any'].includes(model.failing)) throw model.failure
        if (model.silent) return new Promise<never>(() => undefined)
        if (request.purpose !== 'query') inputs.push(...request.inputs)
        const usage = { input_tokens: 1 }
        return { vectors: request.inputs.map(meaningOf), model: 'm', provider: 'p', space: model.space, usage }
      },
    },
  }
  const put = (document: MemoryDocument): void => {
    documents.set(document.id, document)
    state.version += 1
  }
  const vectors = createVectorSearch(options)
  const cache = createIndexCache(options)
  const search = createMemorySearch({ cache, vectors })
  const find = async (text: string, limit = 5) => (await search.search('ada', text, { limit, signal })).map(({ id }) => id)
  return { clock, documents, stored, inputs, model, warnings, state, put, vectors, search, cache, find }
}

describe('memories found by meaning', () => {
  it('are found once they have vectors, which are made in the background', async () => {
    const { put, find, vectors, stored } = start()
    put({ id: 'biscuit', text: 'Has a dog called Biscuit.' })
    put({ id: 'oolong', text: 'Likes oolong tea.' })
    expect(await find('animals')).to.deep.equal([])
    await vectors.refresh('ada')
    expect(stored.size).to.equal(2)
    expect(await find('animals')).to.deep.equal(['biscuit'])
    expect(await find('which beverage')).to.deep.equal(['oolong'])
  })

  it('are kept in memory for the users who searched last, within the vectors of one', async () => {
    let [reads, failures] = [0, 0]
    const vectorOf = (id: string): StoredVector => ({ id, hash: id, space: 'one', vector: packVector([1, 0]) })
    const vectors = createVectorSearch({
      ...{ clock: createTestClock(), signal, maxVectors: 4, versionOf: async () => 1 },
      // No vectors are made in the background: what fails is left alone for a while.
      load: () => Promise.reject(new Error('not now')),
      log: {
        warn() {
          failures += 1
        },
      },
      store: {
        async *read(userId) {
          reads += 1
          for (const id of userId === 'ada' ? ['1', '2', '3'] : ['1']) yield vectorOf(id)
        },
        write: async () => undefined,
        remove: async () => undefined,
      },
      inference: {
        groups: () => [{ name: 'embedding', provider: 'p', model: 'm', context_window: 1, embeds: true }],
        embed: async ({ inputs }) => {
          return { vectors: inputs.map(() => [1, 0]), model: 'm', provider: 'p', space: 'one', usage: { input_tokens: 1 } }
        },
      },
    })
    const readsOf = async (userId: string): Promise<number> => {
      const before = reads
      await vectors.find(userId, 'x', { limit: 9, signal })
      return reads - before
    }
    for (const [index, userId] of ['ada', 'bob', 'cy'].entries()) {
      await readsOf(userId)
      while (failures <= index) await new Promise((resolve) => setImmediate(resolve))
    }
    const found: [string, number][] = []
    for (const userId of ['bob', 'cy', 'ada', 'cy', 'bob']) found.push([userId, await readsOf(userId)])
    expect(found).to.deep.equal([
      ...[
        ['bob', 0],
        ['cy', 0],
        ['ada', 1],
      ],
      ...[
        ['cy', 0],
        ['bob', 1],
      ],
    ])
  })

  it('stand behind those that words find too', async () => {
    const { put, find, vectors } = start()
    put({ id: 'cat', text: 'A cat.' })
    put({ id: 'dog', text: 'A dog.' })
    await vectors.refresh('ada')
    expect(await find('dog')).to.deep.equal(['dog', 'cat'])
  })

  it('are embedded once for each text, and those that are gone lose their vectors', async () => {
    const { put, vectors, inputs, documents, stored, state } = start()
    put({ id: 'dog', title: 'Biscuit', text: 'A dog.' })
    put({ id: 'tea', text: 'Oolong.' })
    put({ id: 'blank', text: ' ' })
    expect(await vectors.refresh('ada')).to.equal(2)
    put({ id: 'tea', text: 'Green.' })
    documents.delete('dog')
    state.version += 1
    expect(await vectors.refresh('ada')).to.equal(1)
    expect(inputs).to.deep.equal(['Biscuit\nA dog.', 'Oolong.', 'memory', 'Green.'])
    expect([...stored.keys()]).to.deep.equal(['tea'])
  })

  it('are embedded again when the space is another one', async () => {
    const { put, vectors, model, find, stored } = start()
    put({ id: 'dog', text: 'A dog.' })
    await vectors.refresh('ada')
    model.space = 'two/2'
    expect(await find('animals')).to.deep.equal([])
    await vectors.refresh('ada')
    expect(stored.get('dog')?.space).to.equal('two/2')
    expect(await find('animals')).to.deep.equal(['dog'])
  })

  it('are found by words alone without a group, and while it fails', async () => {
    const { put, find, model, warnings, vectors } = start()
    put({ id: 'dog', text: 'A dog.' })
    await vectors.refresh('ada')
    model.failure = new Error('no such luck')
    expect([await find('animals'), await find('dogs')]).to.deep.equal([[], ['dog']])
    expect(warnings).to.have.length(2)
    model.offered = false
    expect([vectors.available, await find('dogs')]).to.deep.equal([false, ['dog']])
    expect(warnings).to.have.length(2)
  })

  it('are found by words alone when the model is silent', async () => {
    const { put, find, model, clock } = start()
    put({ id: 'dog', text: 'A dog.' })
    model.silent = true
    const found = find('dogs')
    await clock.advance(3_000)
    expect(await found).to.deep.equal(['dog'])
  })

  it('are not made again in the background soon after a failure', async () => {
    const { put, find, model, clock, warnings, inputs, vectors } = start()
    put({ id: 'dog', text: 'A dog.' })
    model.failure = new Error('no such luck')
    model.failing = 'document'
    await find('animals')
    expect(await vectors.refresh('ada').catch((error: unknown) => error)).to.equal(model.failure)
    expect(warnings).to.deep.equal(['Vectors of memories could not be made; they are found by their words alone.'])
    model.failure = undefined
    await find('animals')
    await clock.advance(299_000)
    await find('animals')
    expect(inputs).to.deep.equal([])
    await clock.advance(2_000)
    await find('animals')
    await vectors.refresh('ada')
    expect(inputs).to.deep.equal(['A dog.'])
    expect(await find('animals')).to.deep.equal(['dog'])
  })

  it('keep their limits and filters', async () => {
    const { put, vectors } = start()
    for (const id of ['a', 'b', 'c']) put({ id, text: 'A dog.' })
    await vectors.refresh('ada')
    expect(await vectors.find('ada', 'animal', { limit: 2, signal })).to.have.length(2)
    expect(await vectors.find('ada', 'animal', { limit: 2, accepts: (id) => id === 'c', signal })).to.deep.equal(['c'])
  })
})

describe('memories that were not used for a while', () => {
  it('leave memory, and come back with the next search', async () => {
    const { put, vectors, search, find, cache } = start()
    put({ id: 'dog', text: 'A dog.' })
    await vectors.refresh('ada')
    expect(await find('animal')).to.deep.equal(['dog'])
    search.evictIdle(60_000)
    expect(cache.users).to.equal(1)
    search.evictIdle(-1)
    expect(cache.users).to.equal(0)
    expect(await find('animal')).to.deep.equal(['dog'])
    search.invalidate('ada')
    expect(cache.users).to.equal(0)
  })
})

describe('packed vectors', () => {
  it('keep the similarity of what they were made of', () => {
    const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const length = (vector: readonly number[]): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
        fc.pre(length(one) > 0.5 && length(other) > 0.5)
        const exact = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / (length(one) * length(other))
        expect(similarityOf(openVector(packVector(one)), openVector(packVector(other)))).to.be.closeTo(exact, 0.03)
      }),
      { numRuns: 200 },
    )
  })

  it('compare nothing of different lengths, and nothing without a direction', () => {
    const packed = (...numbers: readonly number[]) => openVector(packVector(numbers))
    expect(similarityOf(packed(1, 0), packed(1, 0, 0))).to.equal(0)
    expect(similarityOf(packed(0, 0), packed(1, 0))).to.equal(0)
    expect(similarityOf(packed(), packed())).to.equal(0)
    expect(similarityOf(packed(3, 4), packed(30, 40))).to.be.closeTo(1, 0.01)
  })
})
