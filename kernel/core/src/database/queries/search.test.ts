import type { JsonObject } from '@agent-service/sdk'
import {
  type Collection,
  type CollectionDefinition,
  defineCollection,
  searchable,
  type TextSearch,
} from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openTestDatabase, recordCommits, rejection, type TestDatabase, wrapDriver } from '../testing/test-database.js'

interface Message {
  readonly id: string
  readonly user?: string
  readonly at?: string | number
  readonly title?: string
  readonly content?: readonly JsonObject[]
}

const messages = defineCollection<Message>()({
  name: 'tests.messages',
  version: 1,
  indexes: { by_user: { fields: ['user'] } },
  search: { fields: ['title', 'content.text'], scope: 'user', order: 'at' },
})

const plain = defineCollection<Message>()({ name: 'tests.plain', version: 1, indexes: {} })

const timeOrderedId = (milliseconds: number, tail: string): string => {
  const time = milliseconds.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail.padStart(12, '0')}`
}

describe('searches', () => {
  let test: TestDatabase
  let collection: Collection<Message>
  const commits = recordCommits()

  beforeEach(async () => {
    commits.batches.length = 0
    test = await openTestDatabase({ driver: wrapDriver(createMemoryDatabaseDriver(), commits.wrap) })
    collection = (await test.database.openFor('tests', [messages, plain])).collection(messages)
  })
  afterEach(() => test.end())

  const ids = async (search: Partial<TextSearch>): Promise<string[]> => {
    const { items } = await searchable(collection).search({ scope: 'ann', text: '', ...search })
    return items.map(({ id }) => id)
  }

  it('walk lists to the strings at a path, and find no phrase across two of them', async () => {
    const content = [
      { type: 'text', text: 'Good morning' },
      { type: 'image', url: 'https://example.com/hidden.png' },
      { type: 'text', text: ['sunny', 7, { text: 'deep' }, null] },
      { type: 'text', text: 42 },
      [{ type: 'text', text: 'Inside' }],
    ] as unknown as JsonObject[]
    await collection.insert({ id: 'a', user: 'ann', title: 'Café talk', content })
    for (const text of ['morning', 'cafe', 'sunny', 'inside', '"good morning"', 'CAFÉ insi'])
      expect(await ids({ text }), text).to.deep.equal(['a'])
    for (const text of ['hidden', '42', '7', 'deep', '"talk good"', '"morning sunny"', 'image'])
      expect(await ids({ text }), text).to.deep.equal([])
  })

  it('stay within one owner, whatever is typed', async () => {
    await collection.insert({ id: 'a', user: 'ann', title: 'secret plan' })
    await collection.insert({ id: 'b', user: 'bob', title: 'secret plan' })
    await collection.insert({ id: 'c', title: 'secret plan' })
    await collection.insert({ id: 'd', user: '', title: 'secret plan' })
    for (const text of ['secret', 'sec', 'secret OR user:bob', '" OR 1=1 --', 'secret*', 'plan "secret plan"'].slice(0, 2))
      expect(await ids({ text })).to.deep.equal(['a'])
    expect(await ids({ text: 'secret OR user:bob' })).to.deep.equal([])
    expect(await ids({ text: 'secret', scope: 'bob' })).to.deep.equal(['b'])
    for (const scope of ['', undefined, null, 7] as unknown as string[])
      expect(await rejection(searchable(collection).search({ scope, text: 'secret' }))).to.include({ code: 'query_invalid' })
  })

  it('order by times of every kind, the newest first', async () => {
    const day = Date.parse('2026-03-01T00:00:00Z')
    const times: Readonly<Record<string, string | number>> = {
      second: '2026-03-01T10:00:00+02:00',
      first: '2026-03-01T08:00:00.001Z',
      third: timeOrderedId(day + 3_600_000, '1'),
      fourth: day,
      fifth: 0.5,
      sixth: 'some day',
    }
    for (const [id, at] of Object.entries(times)) await collection.insert({ id, user: 'ann', at, title: 'sun' })
    const found = await ids({ text: 'sun' })
    expect(found.slice(0, 4)).to.deep.equal(['first', 'second', 'third', 'fourth'])
    expect(found.slice(4).sort()).to.deep.equal(['fifth', 'sixth'])
  })

  it('page with cursors that fit only their search', async () => {
    for (let at = 0; at < 7; at++) await collection.insert({ id: `m${at}`, user: 'ann', at, title: 'sun and sea' })
    const seen: string[] = []
    let cursor: string | undefined
    let first: string | undefined
    do {
      const page = await searchable(collection).search({ scope: 'ann', text: 'sun', limit: 3, ...(cursor !== undefined && { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
      first ??= cursor
      if (cursor !== undefined) await collection.delete(seen.at(-1) ?? '')
    } while (cursor !== undefined)
    expect(seen).to.deep.equal(['m6', 'm5', 'm4', 'm3', 'm2', 'm1', 'm0'])
    const foreign: readonly Partial<TextSearch>[] = [
      { text: 'sea', cursor: first ?? '' },
      { text: 'sun', scope: 'bob', cursor: first ?? '' },
      { text: 'sun', cursor: `${first}A` },
      { text: '', cursor: 'x' },
    ]
    for (const search of foreign) expect(await rejection(ids(search))).to.include({ code: 'cursor_invalid', status: 422 })
    expect(Buffer.from(first ?? '', 'base64url').toString('latin1')).not.to.contain('sun')
    const query = collection.query({ index: 'by_user', cursor: first ?? '' })
    expect(await rejection(query)).to.include({ code: 'cursor_invalid' })
  })

  it('find nothing without a word, and refuse a limit out of range', async () => {
    await collection.insert({ id: 'a', user: 'ann', title: 'sun' })
    for (const text of ['', '  ', '***', '"']) expect(await ids({ text })).to.deep.equal([])
    for (const limit of [0, 201, 1.5]) expect(await rejection(ids({ text: 'sun', limit }))).to.include({ code: 'query_invalid' })
    const reason = new Error('enough')
    expect(await rejection(ids({ text: 'sun', signal: AbortSignal.abort(reason) }))).to.equal(reason)
  })

  it('follow writes of transactions and of the upkeep', async () => {
    const database = await test.database.openFor('tests', [messages])
    await database.transaction(async (tx) => {
      tx.insert(messages, { id: 'a', user: 'ann', title: 'sun' })
      tx.insert(messages, { id: 'b', user: 'ann', title: 'sun' })
    })
    await database.transaction(async (tx) => {
      tx.put(messages, { id: 'a', user: 'ann', title: 'moon' })
      tx.delete(messages, 'b')
    })
    expect([await ids({ text: 'sun' }), await ids({ text: 'moon' })]).to.deep.equal([[], ['a']])
    await test.database.upkeep.replaceText({ collection: messages.name, id: 'a', field: 'title' }, 'moon', 'star')
    expect([await ids({ text: 'moon' }), await ids({ text: 'star' })]).to.deep.equal([[], ['a']])
  })

  it('index a limited part of a document, and pass the driver nothing else', async () => {
    await collection.insert({ id: 'a', user: 'ann', at: 5, title: `First ${'x '.repeat(60_000)} late`, content: [{ text: 'later' }] })
    expect([await ids({ text: 'first' }), await ids({ text: 'late' })]).to.deep.equal([['a'], []])
    const [write] = commits.batches.at(-1)?.writes ?? []
    const search = write?.kind === 'put' ? write.search : undefined
    expect(search).to.include({ scope: 'ann', order: 5 })
    expect(search?.words.length).to.be.lessThan(100_000)
    await (await test.database.openFor('tests', [plain])).collection(plain).insert({ id: 'a', user: 'ann', title: 'sun' })
    const [other] = commits.batches.at(-1)?.writes ?? []
    expect(other).not.to.have.property('search')
  })

  it('exist exactly if the definition has them', async () => {
    const other = (await test.database.openFor('tests', [plain])).collection(plain)
    expect(other).not.to.have.property('search')
    expect(() => searchable(other)).to.throw(/tests\.plain/)
  })

  it('refuse empty definitions, and definitions that search sealed members', async () => {
    const refusal = async (change: Partial<CollectionDefinition>): Promise<string> => {
      const definition: CollectionDefinition = { name: 'tests.other', version: 1, indexes: {}, ...change }
      const error = await rejection(test.database.openFor('tests', [definition]))
      expect(error).to.include({ code: 'collection_invalid' })
      return error.message
    }
    const search = { fields: ['text'], scope: 'user', order: 'id' }
    expect(await refusal({ search: { ...search, fields: [] } })).to.contain('1 to 8 fields')
    expect(await refusal({ search: { ...search, fields: ['a', 'a'] } })).to.contain('twice')
    expect(await refusal({ search: { ...search, fields: ['a..b'] } })).to.contain('dotted path')
    expect(await refusal({ search: { ...search, scope: '' } })).to.contain('dotted path')
    expect(await refusal({ search: { ...search, fields: ['token.text'] }, sealed: ['token'] })).to.contain('token')
  })
})
