import { defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openTestDatabase, type TestDatabase, wrapDriver } from '../testing/test-database.js'

interface Note extends StoredObject {
  readonly user_id: string
  readonly text: string
}

const notes = defineCollection<Note>()({ name: 'garden.notes', version: 1, indexes: { by_user: { fields: ['user_id'] } } })
const beds = defineCollection<Note>()({ name: 'garden.beds', version: 1, indexes: {} })
const { signal } = new AbortController()

describe('stored collections', () => {
  let test: TestDatabase
  /** What the pages of scans had. */
  let pages: { readonly documents: number; readonly characters: number }[]
  beforeEach(async () => {
    pages = []
    const driver = wrapDriver(createMemoryDatabaseDriver(), (connection) => ({
      ...connection,
      async scan(collection, options) {
        const page = await connection.scan(collection, options)
        if (collection.startsWith('garden.')) {
          pages.push({ documents: page.length, characters: page.reduce((sum, { body }) => sum + body.length, 0) })
        }
        return page
      },
    }))
    test = await openTestDatabase({ driver })
  })
  afterEach(() => test.end())

  const fill = async (count: number, text: string): Promise<void> => {
    const database = await test.database.openFor('garden', [notes, beds], { thirdParty: true })
    for (const definition of [notes, beds])
      for (let n = 0; n < count; n += 1) await database.collection(definition).put({ id: `n${n}`, user_id: n === 0 ? 'ada' : 'bob', text })
  }

  it('are read and dropped in pages of few bytes, however large the documents are', async () => {
    await fill(30, 'x'.repeat(1_000_000))
    for await (const { id } of test.database.stored.documents({ collection: beds.name, member: 'user_id', value: 'ada' }, { signal }))
      expect(id).to.equal('n0')
    await test.database.stored.drop([beds.name], { signal })
    expect(await test.database.stored.count(beds.name)).to.equal(0)
    expect(pages.reduce((sum, { documents }) => sum + documents, 0)).to.equal(60)
    // The size is unknown only at the first page of each.
    expect(pages.filter(({ documents }) => documents === 10)).to.have.length(2)
    const others = pages.filter(({ documents }) => documents !== 10)
    expect(Math.max(...others.map(({ characters }) => characters))).to.be.at.most(4 * 1024 * 1024)
  })

  it('leave room for other work between pages', async () => {
    await fill(250, 'short')
    for (const { name } of [notes, beds]) {
      let turns = 0
      let isEnded = false
      const count = (): void => {
        turns += 1
        if (!isEnded) setImmediate(count)
      }
      setImmediate(count)
      let found = 0
      for await (const { user_id: userId } of test.database.stored.documents(
        { collection: name, member: 'user_id', value: 'bob' },
        { signal },
      ))
        if (userId === 'bob') found += 1
      isEnded = true
      expect(found).to.equal(249)
      expect(turns, name).to.be.at.least(3)
    }
  })
})
