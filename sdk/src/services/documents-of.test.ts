import { expect } from 'chai'
import { type Collection, type Database, defineCollection, documentsOf, type Query } from './database.js'

interface Note {
  readonly id: string
}

const notes = defineCollection<Note>()({ name: 'notes.notes', version: 1, indexes: {} })

/** A database of three notes whose pages have two. */
function openNotes() {
  const asked: Query[] = []
  const collection = {
    async query(query: Query) {
      asked.push(query)
      return query.cursor === 'second' ? { items: [{ id: 'c' }] } : { items: [{ id: 'a' }, { id: 'b' }], nextCursor: 'second' }
    },
  }
  const database: Pick<Database, 'collection'> = { collection: () => collection as unknown as Collection<never> }
  return { asked, database }
}

describe('documentsOf', () => {
  it('gives every document of all pages, in their order', async () => {
    const { asked, database } = openNotes()
    const ids: string[] = []
    for await (const { id } of documentsOf(database, notes, { index: 'by_user', equals: ['ada'] })) ids.push(id)
    expect(ids).to.deep.equal(['a', 'b', 'c'])
    const place = { index: 'by_user', equals: ['ada'], limit: 100 }
    expect(asked).to.deep.equal([place, { ...place, cursor: 'second' }])
  })

  it('reads no page that is not wanted, and as many documents at once as it is told', async () => {
    const { asked, database } = openNotes()
    for await (const { id } of documentsOf(database, notes, { index: 'by_user', equals: ['ada'], pageSize: 2 })) if (id === 'a') break
    expect(asked).to.deep.equal([{ index: 'by_user', equals: ['ada'], limit: 2 }])
  })

  it('ends with the reason of its signal before the next page', async () => {
    const { asked, database } = openNotes()
    const stop = new AbortController()
    const reason = new Error('enough')
    const read = async (): Promise<void> => {
      for await (const { id } of documentsOf(database, notes, { index: 'by_user', equals: [], signal: stop.signal }))
        if (id === 'b') stop.abort(reason)
    }
    expect(await read().catch((error: unknown) => error)).to.equal(reason)
    expect(asked).to.have.length(1)
  })
})
