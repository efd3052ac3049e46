import { expect } from 'chai'
import fc from 'fast-check'
import { buildMemoryIndex, createMemoryIndex, type MemoryDocument } from './memory-index.js'

const { signal } = new AbortController()
const ids = (matches: readonly { readonly id: string }[]): readonly string[] => matches.map(({ id }) => id)

describe('the index of memories', () => {
  const documents: readonly MemoryDocument[] = [
    { id: 'dentist', text: 'The dentist is Doctor Okafor in Mill Street.' },
    { id: 'dog', title: 'Biscuit', aliases: ['the puppy'], text: 'A brown dog who is afraid of thunder.' },
    { id: 'walk', text: 'Walks Biscuit every morning along the river.' },
    { id: 'tea', text: 'Prefers green tea, never coffee after noon.' },
  ]
  const open = () => buildMemoryIndex(documents, { signal })

  it('finds by words, and ranks titles and aliases above texts', async () => {
    const index = await open()
    expect(ids(index.search('Who is my dentist?', { limit: 5 }))).to.deep.equal(['dentist'])
    expect(ids(index.search('biscuit', { limit: 5 }))).to.deep.equal(['dog', 'walk'])
    expect(ids(index.search('puppies', { limit: 5 }))).to.deep.equal(['dog'])
    expect(ids(index.search('spacecraft', { limit: 5 }))).to.deep.equal([])
    expect(ids(index.search('', { limit: 5 }))).to.deep.equal([])
  })

  it('completes words of more than three letters, no shorter ones', async () => {
    const index = await open()
    expect(ids(index.search('thun', { limit: 5 }))).to.deep.equal(['dog'])
    expect(ids(index.search('thu', { limit: 5 }))).to.deep.equal([])
  })

  it('keeps limits and filters', async () => {
    const index = await open()
    expect(index.search('biscuit dentist tea', { limit: 2 })).to.have.length(2)
    expect(ids(index.search('biscuit', { limit: 1, accepts: (id) => id !== 'dog' }))).to.deep.equal(['walk'])
  })

  it('takes another state of a document, and removes documents', async () => {
    const index = await open()
    index.put({ id: 'tea', text: 'Prefers black coffee now.' })
    expect(ids(index.search('green', { limit: 5 }))).to.deep.equal([])
    expect(ids(index.search('coffee', { limit: 5 }))).to.deep.equal(['tea'])
    expect([index.remove('tea'), index.remove('tea'), index.has('tea'), index.size]).to.deep.equal([true, false, false, 3])
    expect(ids(index.search('coffee', { limit: 5 }))).to.deep.equal([])
  })

  it('is the same after any changes as one that is built of what is left', () => {
    const word = fc.constantFrom('bean', 'beans', 'river', 'tea', 'dentist', 'Zürich', '北京')
    const change = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), words: fc.option(fc.array(word, { minLength: 1, maxLength: 5 })) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), word, (changes, query) => {
        const changed = createMemoryIndex()
        const left = new Map<string, MemoryDocument>()
        for (const { id, words } of changes) {
          left.delete(id)
          if (words === null) changed.remove(id)
          else {
            const document = { id, text: words.join(' ') }
            left.set(id, document)
            changed.put(document)
          }
        }
        const built = createMemoryIndex()
        for (const document of left.values()) built.put(document)
        expect([...ids(changed.search(query, { limit: 10 }))].sort()).to.deep.equal([...ids(built.search(query, { limit: 10 }))].sort())
        expect(changed.size).to.equal(left.size)
      }),
      { numRuns: 100 },
    )
  })

  it('holds at most as many documents as it may', async () => {
    const index = await buildMemoryIndex(documents, { signal, maxDocuments: 2 })
    expect([index.size, index.has('dog'), index.has('walk')]).to.deep.equal([2, true, false])
  })

  it('gives others a turn before it is searched', async () => {
    let turned = false
    setImmediate(() => {
      turned = true
    })
    await open()
    expect(turned).to.equal(true)
  })

  it('gives others a turn while it is built, and ends with its signal', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      id: `${index}`,
      text: `Memory ${index} of tea, rivers and ${index % 97} dogs`.repeat(3),
    }))
    let turns = 0
    const count = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns += 1
        timer = count()
      })
    let timer = count()
    await buildMemoryIndex(many, { signal })
    clearImmediate(timer)
    expect(turns).to.be.greaterThan(3)

    const controller = new AbortController()
    const reason = new Error('enough')
    const work = buildMemoryIndex(many, { signal: controller.signal })
    setImmediate(() => controller.abort(reason))
    expect(await work.catch((error: unknown) => error)).to.equal(reason)
  })
})
