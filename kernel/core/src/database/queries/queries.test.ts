import type { Collection, IndexValue, Query } from '@agent-service/sdk/services/database'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { openTestDatabase, rejection, type TestDatabase } from '../testing/test-database.js'

interface Note {
  readonly id: string
  readonly user?: IndexValue
  readonly at?: IndexValue
  readonly text?: string
}

const notes = defineCollection<Note>()({
  name: 'tests.notes',
  version: 1,
  indexes: { by_user: { fields: ['user', 'at'] }, by_at: { fields: ['at'] } },
})

describe('queries', () => {
  let test: TestDatabase
  let collection: Collection<Note>

  beforeEach(async () => {
    test = await openTestDatabase()
    collection = (await test.database.openFor('tests', [notes])).collection(notes)
  })
  afterEach(() => test.end())

  const ids = async (query: Query): Promise<string[]> => (await collection.query(query)).items.map(({ id }) => id)

  const allPages = async (query: Query): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await collection.query({ ...query, ...(cursor !== undefined && { cursor }) })
      found.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return found
  }

  it('orders null, booleans, numbers, strings by code point, then by id, both ways', async () => {
    const values: IndexValue[] = [null, false, true, -5, 0, 1.5, 2, '', 'a', 'b', '\uffff', '\u{10000}']
    const expected: string[] = []
    for (const [index, at] of [...values.entries()].reverse()) {
      await collection.insert({ id: `${index}-b`, at })
      await collection.insert({ id: `${index}-a`, at })
      expected.unshift(`${index}-a`, `${index}-b`)
    }
    await collection.insert({ id: '0-c' })
    expected.splice(2, 0, '0-c')
    expect(await ids({ index: 'by_at' })).to.deep.equal(expected)
    expect(await ids({ index: 'by_at', order: 'descending' })).to.deep.equal([...expected].reverse())
    expect(await allPages({ index: 'by_at', limit: 3 })).to.deep.equal(expected)
    expect(await allPages({ index: 'by_at', limit: 3, order: 'descending' })).to.deep.equal([...expected].reverse())
  })

  it('supports equal leading fields and bounds of the next: from inclusive, to exclusive', async () => {
    for (const user of ['ann', 'ann\0', 'annie', 'bob'])
      for (const at of [1, 2, 3]) await collection.insert({ id: `${user}-${at}`, user, at })
    expect(await ids({ index: 'by_user', equals: ['ann'] })).to.deep.equal(['ann-1', 'ann-2', 'ann-3'])
    expect(await ids({ index: 'by_user', equals: ['ann\0'] })).to.deep.equal(['ann\0-1', 'ann\0-2', 'ann\0-3'])
    expect(await ids({ index: 'by_user', equals: ['ann', 2] })).to.deep.equal(['ann-2'])
    expect(await ids({ index: 'by_user', equals: ['ann'], from: 2 })).to.deep.equal(['ann-2', 'ann-3'])
    expect(await ids({ index: 'by_user', equals: ['ann'], from: 1, to: 3, order: 'descending' })).to.deep.equal(['ann-2', 'ann-1'])
    expect(await ids({ index: 'by_user', from: 'annie', to: 'b' })).to.deep.equal(['annie-1', 'annie-2', 'annie-3'])
    expect(await ids({ index: 'by_user', equals: ['nobody'] })).to.deep.equal([])
    expect(await ids({ index: 'by_user', equals: ['x'.repeat(3000)] })).to.deep.equal([])
  })

  it('returns 50 by default, up to 200, and a cursor only if more is left', async () => {
    for (let index = 0; index < 201; index++) await collection.insert({ id: String(index).padStart(3, '0'), at: index })
    const first = await collection.query({ index: 'by_at' })
    expect(first.items).to.have.length(50)
    const large = await collection.query({ index: 'by_at', limit: 200 })
    expect(large.items).to.have.length(200)
    const rest = await collection.query({ index: 'by_at', limit: 200, cursor: large.nextCursor ?? '' })
    expect(rest.items.map(({ id }) => id)).to.deep.equal(['200'])
    expect(rest).not.to.have.property('nextCursor')
  })

  it('keeps cursors valid while data changes: nothing twice, nothing unchanged omitted', async () => {
    for (let at = 0; at < 10; at++) await collection.insert({ id: `n${at}`, at })
    const first = await collection.query({ index: 'by_at', limit: 4 })
    await collection.delete('n3')
    await collection.delete('n5')
    await collection.insert({ id: 'before', at: 1.5 })
    await collection.insert({ id: 'behind', at: 6.5 })
    const rest = await allPages({ index: 'by_at', limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.items.map(({ id }) => id), ...rest]).to.deep.equal(['n0', 'n1', 'n2', 'n3', 'n4', 'n6', 'behind', 'n7', 'n8', 'n9'])
  })

  it('shortens a page that would exceed 4 MiB, but never to nothing', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024)
    for (const id of ['a', 'b', 'c']) await collection.insert({ id, at: 1, text })
    const page = await collection.query({ index: 'by_at' })
    expect(page.items.map(({ id }) => id)).to.deep.equal(['a'])
    expect(await allPages({ index: 'by_at' })).to.deep.equal(['a', 'b', 'c'])
  })

  it('refuses a cursor of another list, order or bound, and a damaged one', async () => {
    for (let at = 0; at < 4; at++) await collection.insert({ id: `n${at}`, at, user: 'ann' })
    const { nextCursor: cursor = '' } = await collection.query({ index: 'by_at', limit: 2 })
    const foreign: Query[] = [
      { index: 'by_user', cursor },
      { index: 'by_at', order: 'descending', cursor },
      { index: 'by_at', from: 0, cursor },
      { index: 'by_at', to: 9, cursor },
      { index: 'by_at', equals: [1], cursor },
    ]
    const damaged = ['', 'x', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, cursor.slice(4), 'A'.repeat(40_000)]
    for (let position = 0; position < cursor.length; position++) {
      damaged.push(`${cursor.slice(0, position)}${cursor[position] === 'A' ? 'B' : 'A'}${cursor.slice(position + 1)}`)
    }
    for (const query of [...foreign, ...damaged.map((bad) => ({ index: 'by_at', cursor: bad }))]) {
      expect(await rejection(collection.query(query)), JSON.stringify(query)).to.include({ code: 'cursor_invalid', status: 422 })
    }
    expect(await ids({ index: 'by_at', cursor, limit: 200 })).to.deep.equal(['n2', 'n3'])
  })

  it('refuses queries that do not fit the index, with the reason', async () => {
    const refusal = async (query: Query): Promise<string> => {
      const error = await rejection(collection.query(query))
      expect(error).to.include({ code: 'query_invalid' })
      return error.message
    }
    expect(await refusal({ index: 'by_name' }))
      .to.contain('by_name')
      .and.to.contain('by_user')
    expect(await refusal({ index: 'by_at', equals: [1, 2] })).to.contain('too few')
    expect(await refusal({ index: 'by_at', equals: [1], from: 2 })).to.contain('too few')
    for (const limit of [0, 201, 1.5, -1, Number.NaN]) expect(await refusal({ index: 'by_at', limit })).to.contain('limit')
    expect(await refusal({ index: 'by_at', from: Number.NaN })).to.contain('NaN')
    expect(await rejection(collection.find('by_at', [1]))).to.include({ code: 'query_invalid' })
  })
})
