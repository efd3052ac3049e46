import { expect } from 'chai'
import { defineCollection, searchable } from '../../services/database.js'
import { createMemoryDatabase } from './memory-database.js'

interface Page {
  readonly id: string
  readonly owner: string
  readonly slug: string | null
  readonly rank: number | string | null
  readonly at: number
  readonly parts?: readonly { readonly text: string }[]
}
const pages = defineCollection<Page>()({
  name: 'wiki.pages',
  version: 1,
  indexes: { by_owner: { fields: ['owner', 'rank'] }, by_slug: { fields: ['slug'], unique: true } },
  search: { fields: ['parts.text'], scope: 'owner', order: 'at' },
})
const other = defineCollection()({ name: 'wiki.other', version: 1, indexes: {} })
const page = (id: string, more: Partial<Page> = {}): Page => ({ id, owner: 'ada', slug: null, rank: null, at: 0, ...more })
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code,
  )

describe('createMemoryDatabase', () => {
  it('fails as it is told to, and works again', async () => {
    const database = createMemoryDatabase([pages])
    const collection = database.collection(pages)
    const page = { id: 'one' } as never
    await collection.put(page)
    database.failWith(new Error('The disk is gone.'))
    const calls = [
      () => collection.get('one'),
      () => collection.put(page),
      () => collection.delete('one'),
      () => database.transaction(async (transaction) => transaction.get(pages, 'one')),
      () => database.transaction(async (transaction) => transaction.put(pages, page)),
    ]
    for (const call of calls) expect(await call().catch((error: Error) => error.message)).to.equal('The disk is gone.')
    expect(database.documents(pages.name)).to.have.length(1)
    database.failWith(new Error('The disk is gone.'), { afterCalls: 1 })
    expect(await collection.get('one')).to.deep.include({ id: 'one' })
    expect(await collection.get('one').catch((error: Error) => error.message)).to.equal('The disk is gone.')
    database.failWith(undefined)
    expect(await collection.get('one')).to.deep.include({ id: 'one' })
  })

  const open = () => {
    const database = createMemoryDatabase([pages])
    return { database, collection: database.collection(pages) }
  }

  it('returns frozen documents and revisions, and refuses a write over another revision', async () => {
    const { collection } = open()
    const { document, revision } = await collection.insert(page('a'))
    expect(Object.isFrozen(document)).to.equal(true)
    await collection.put(page('a', { rank: 1 }), { revision })
    expect(await codeOf(collection.put(page('a'), { revision }))).to.equal('conflict')
    expect(await codeOf(collection.insert(page('a')))).to.equal('document_exists')
    expect([await collection.delete('a'), await collection.delete('a')]).to.deep.equal([true, false])
  })

  it('orders an index by null, booleans, numbers and strings, in pages both ways', async () => {
    const { collection } = open()
    for (const [id, rank] of [
      ['s', 'b'],
      ['n10', 10],
      ['n9', 9],
      ['null', null],
      ['z', 'a'],
    ] as const)
      await collection.insert(page(id, { rank }))
    await collection.insert(page('of-bob', { owner: 'bob' }))
    const first = await collection.query({ index: 'by_owner', equals: ['ada'], limit: 3 })
    const second = await collection.query({ index: 'by_owner', equals: ['ada'], limit: 3, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...second.items].map(({ id }) => id)).to.deep.equal(['null', 'n9', 'n10', 'z', 's'])
    expect(second).to.not.have.property('nextCursor')
    const between = await collection.query({ index: 'by_owner', equals: ['ada'], from: 9, to: 'b', order: 'descending' })
    expect(between.items.map(({ id }) => id)).to.deep.equal(['z', 'n10', 'n9'])
    expect(await codeOf(collection.query({ index: 'by_nothing' }))).to.equal('query_invalid')
  })

  it('keeps keys unique except null, and changes nothing on a violation', async () => {
    const { collection, database } = open()
    await collection.insert(page('a', { slug: 'home' }))
    await collection.insert(page('b'))
    await collection.insert(page('c'))
    expect(await codeOf(collection.insert(page('d', { slug: 'home' })))).to.equal('unique_violation')
    expect((await collection.find('by_slug', ['home']))?.id).to.equal('a')
    const swapped = database.transaction(async (transaction) => {
      transaction.put(pages, page('a', { slug: 'old' }))
      transaction.insert(pages, page('e', { slug: 'home' }))
      return (await transaction.find(pages, 'by_slug', ['home']))?.id
    })
    expect(await swapped).to.equal('e')
    expect((await collection.find('by_slug', ['old']))?.id).to.equal('a')
  })

  it('retries a transaction when its reads have changed, and writes nothing when it throws', async () => {
    const { collection, database } = open()
    let attempts = 0
    const result = await database.transaction(async (transaction) => {
      attempts += 1
      const found = await transaction.find(pages, 'by_slug', ['home'])
      if (attempts === 1) await collection.insert(page('a', { slug: 'home' }))
      transaction.put(pages, page('b', { rank: found ? 1 : 0 }))
      return found?.id
    })
    expect([attempts, result, (await collection.get('b'))?.rank]).to.deep.equal([2, 'a', 1])
    const busy = database.transaction(async (transaction) => {
      const { rank } = (await transaction.get(pages, 'b')) ?? page('b')
      await collection.put(page('b', { rank: Number(rank) + 1 }))
    })
    expect(await codeOf(busy)).to.equal('conflict')
    const broken = database.transaction(async (transaction) => {
      transaction.delete(pages, 'b')
      throw new Error('no')
    })
    expect(await codeOf(broken)).to.equal(undefined)
    expect(await collection.get('b')).to.not.equal(undefined)
  })

  it('finds words of one scope, the newest first', async () => {
    const { collection } = open()
    const texts = (...all: string[]) => all.map((text) => ({ text }))
    await collection.insert(page('old', { at: 1, parts: texts('A café on Sunday') }))
    await collection.insert(page('new', { at: 2, parts: texts('Sunday', 'no cafe, tea') }))
    await collection.insert(page('bob', { at: 3, owner: 'bob', parts: texts('café sunday') }))
    const search = async (text: string) => (await searchable(collection).search({ scope: 'ada', text })).items.map(({ id }) => id)
    expect(await search('CAFE sun')).to.deep.equal(['new', 'old'])
    expect(await search('"café on"')).to.deep.equal(['old'])
    expect(await search('sund cafe')).to.deep.equal([])
    expect(await search('?!')).to.deep.equal([])
    const first = await searchable(collection).search({ scope: 'ada', text: 'sunday', limit: 1 })
    const next = await searchable(collection).search({ scope: 'ada', text: 'sunday', limit: 1, cursor: first.nextCursor ?? '' })
    expect([first, next].map(({ items }) => items[0]?.id)).to.deep.equal(['new', 'old'])
  })

  it('refuses a collection that was not listed', () => {
    expect(() => open().database.collection(other)).to.throw('wiki.other')
  })
})
