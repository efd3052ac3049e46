import { join } from 'node:path'
import { backUpDatabase, type KernelDatabase, restoreDatabase } from '@agent-service/kernel/testing'
import type { JsonObject } from '@agent-service/sdk'
import { type Collection, type CollectionDefinition, defineCollection, searchable } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { SqliteDatabase as Sqlite } from '../support/sqlite.js'
import { drivers, openStore, rejection, temporaryFolder } from './open-store.js'

interface Message {
  readonly id: string
  readonly user_id: string
  readonly created_at: string
  readonly content: readonly { readonly type: string; readonly text: string }[]
}

const unsearched: CollectionDefinition<Message> = { name: 'tests.messages', version: 1, indexes: { by_user: { fields: ['user_id'] } } }
const messages = defineCollection<Message>()({
  ...unsearched,
  search: { fields: ['content.text'], scope: 'user_id', order: 'created_at' },
})

const message = (number: number, text: string, user = 'ann'): Message => ({
  id: `m${number}`,
  user_id: user,
  created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  content: [{ type: 'text', text }],
})

for (const { name, create } of drivers) {
  describe(`searches over ${name}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let kernel: KernelDatabase

    beforeEach(async () => {
      folder = await temporaryFolder()
      kernel = await openStore(create(), join(folder.path, 'db'))
    })
    afterEach(async () => {
      await kernel.close()
      await folder.remove()
    })

    const open = async <Document extends Message>(definition: CollectionDefinition<Document>): Promise<Collection<Document>> =>
      (await kernel.openFor('tests', [definition])).collection(definition)

    const reopen = async (path = 'db'): Promise<void> => {
      await kernel.close()
      kernel = await openStore(create(), join(folder.path, path))
    }

    const ids = async (collection: Collection<Message>, text: string, scope = 'ann'): Promise<string[]> => {
      const { items } = await searchable(collection).search({ scope, text, limit: 200 })
      return items.map(({ id }) => id)
    }

    it('find older documents after the next start once there is a text index', async () => {
      const before = await open(unsearched)
      for (let number = 0; number < 60; number++) await before.insert(message(number, number % 2 === 0 ? 'Ein schöner Tag' : 'nichts'))
      await before.insert(message(60, 'Ein schöner Tag', 'bob'))
      await reopen()
      const collection = await open(messages)
      const even = Array.from({ length: 30 }, (_, number) => `m${58 - 2 * number}`)
      expect(await ids(collection, 'SCHONER')).to.deep.equal(even)
      await collection.put(message(58, 'nichts'))
      await collection.delete('m56')
      await reopen()
      const again = await open(messages)
      expect(await ids(again, 'schön')).to.deep.equal(even.slice(2))
      expect(await ids(again, 'schön', 'bob')).to.deep.equal(['m60'])
      await reopen()
      expect(await open(unsearched)).not.to.have.property('search')
    })

    it('use a changed definition and migrated documents after the next start', async () => {
      const collection = await open(messages)
      for (let number = 0; number < 40; number++) await collection.insert(message(number, `sun n${number}`))
      await reopen()
      const typed = await open(
        defineCollection<Message>()({ ...messages, search: { fields: ['content.type'], scope: 'user_id', order: 'id' } }),
      )
      expect([(await ids(typed, 'text')).length, await ids(typed, 'n7')]).to.deep.equal([40, []])
      await reopen()
      const migrations = [
        {
          to: 2,
          description: 'Says moon.',
          migrate: (document: JsonObject) => ({ ...document, content: [{ type: 'text', text: `moon ${String(document['id'])}` }] }),
        },
      ]
      const migrated = await open({ ...messages, version: 2, migrations })
      expect(await ids(migrated, 'sun')).to.deep.equal([])
      expect(await ids(migrated, 'moon m7')).to.deep.equal(['m7'])
      expect(await ids(migrated, 'moon')).to.have.length(40)
    })

    it('work in a restored backup', async () => {
      const collection = await open(messages)
      await collection.insert(message(1, '東京タワー and more'))
      await backUpDatabase(kernel, join(folder.path, 'backup'), { signal: new AbortController().signal, progress: () => undefined })
      await restoreDatabase({ from: join(folder.path, 'backup'), path: join(folder.path, 'restored'), driver: name })
      await reopen('restored')
      const restored = await open(messages)
      expect(await ids(restored, '京タ')).to.deep.equal(['m1'])
      await restored.put(message(1, 'changed'))
      expect([await ids(restored, '東京'), await ids(restored, 'chan')]).to.deep.equal([[], ['m1']])
    })

    it('never name the searched text in an error', async () => {
      const collection = searchable(await open(messages))
      await collection.insert(message(1, 'something'))
      for (const text of [
        '"',
        'a"b',
        "'; DROP TABLE words_1; --",
        'NEAR(a b, 2)',
        '^x',
        'a AND',
        '-',
        '{content} : x',
        '\u0000',
        '%',
        '\ud83d',
        '*'.repeat(5000),
      ])
        expect((await collection.search({ scope: 'ann', text })).items, text).to.deep.equal([])
      const error = await rejection(collection.search({ scope: 'ann', text: 'privateword', cursor: 'broken' }))
      expect(JSON.stringify([error.message, error])).not.to.contain('privateword')
    })
  })
}

describe('searches over sqlite', () => {
  it('fold every letter that its own tokenizer folds', async () => {
    const reference = new Sqlite(':memory:')
    reference.exec("CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'unicode61 remove_diacritics 2')")
    reference.exec("CREATE VIRTUAL TABLE levelled USING fts5vocab (words, 'instance')")
    const insert = reference.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)')
    const codes = [...range(0x41, 0x600), ...range(0x1e00, 0x2000), ...range(0x10400, 0x10450)]
    reference.transaction(() => {
      for (const code of codes) insert.run(code, String.fromCodePoint(code))
    })()
    const alike = reference
      .prepare<[], { readonly term: string; readonly doc: number }>('SELECT term, doc FROM levelled')
      .all()
      .filter(({ term, doc }) => term !== String.fromCodePoint(doc))
    reference.close()
    expect(alike.length).to.be.greaterThan(700)

    const folder = await temporaryFolder()
    const kernel = await openStore(drivers[0]?.create() ?? expect.fail('There is no driver.'), folder.path)
    try {
      const database = await kernel.openFor('tests', [messages])
      await database.transaction(async (tx) => {
        for (const { doc } of alike) tx.put(messages, { ...message(doc, `x${String.fromCodePoint(doc)}y`) })
      })
      const collection = searchable(database.collection(messages))
      for (const { term, doc } of alike) {
        const { items } = await collection.search({ scope: 'ann', text: `x${term}y`, limit: 200 })
        expect(
          items.map(({ id }) => id),
          `${String.fromCodePoint(doc)} as ${term}`,
        ).to.include(`m${doc}`)
      }
    } finally {
      await kernel.close()
      await folder.remove()
    }
  })
})

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, offset) => from + offset)
