import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { CollectionLayout, CommitWrite, DatabaseConnection, SearchPage } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { createTable } from './schema.js'
import { searchSql } from './search-sql.js'
import { createSearcher } from './searcher.js'
import SqliteDatabase from './sqlite-library.js'
import { storeFileName } from './store-file.js'
import { openStore, rejectionOf, withFolder } from './test-store.test.js'
import { createTextIndex, openTextIndex, placeColumnsSql } from './text-index.js'
import { scopeKey } from './text-key.js'
import { startThread } from './threads.js'

const texts: CollectionLayout = {
  name: 'test.texts',
  version: 1,
  indexes: [],
  search: { fields: ['words'], scope: 'scope', order: 'order', generation: 1 },
}

const put = (id: string, scope: string, words: string, order = 1): CommitWrite => ({
  kind: 'put',
  collection: texts.name,
  id,
  body: JSON.stringify({ id }),
  keys: [],
  search: { scope, order, words },
})

const search = (connection: DatabaseConnection, word: string, signal?: AbortSignal): Promise<SearchPage> =>
  connection.search({
    ...{ collection: texts.name, scope: 'ann', terms: [{ words: [word], prefix: true }], limit: 50, maximumBytes: 1 << 20 },
    ...(signal && { signal }),
  })

const openTexts = async (path: string, writes: readonly CommitWrite[], options: Parameters<typeof openStore>[1] = {}) => {
  const connection = await openStore(path, options)
  await connection.ensureCollection(
    texts,
    () => [],
    () => null,
  )
  await connection.commit({ checks: [], writes })
  return connection
}

describe('the text index', () => {
  it(
    'reads only the lists of one scope, newest first, and sorts nothing',
    withFolder(async (path) => {
      const others = Array.from({ length: 2000 }, (_, number) => put(`o${number}`, `user ${number % 7}`, 'sun sunday', number))
      const own = Array.from({ length: 10 }, (_, number) => put(`a${number}`, 'ann', 'sun', number))
      const connection = await openTexts(path, [...others, ...own])
      expect((await search(connection, 'su')).records.map(({ id }) => id)).to.deep.equal(own.map(({ id }) => id).reverse())
      await connection.close()

      const database = new SqliteDatabase(join(path, storeFileName))
      database.exec("CREATE VIRTUAL TABLE temp.lists USING fts5vocab (main, 'words_1', 'row')")
      const lengths = database
        .prepare('SELECT term, doc FROM temp.lists WHERE term >= ? AND term < ?')
        .all(scopeKey('ann'), `${scopeKey('ann')}~`)
      expect(lengths).to.deep.equal([{ term: `${scopeKey('ann')}sun`, doc: own.length }])
      const plan = database
        .prepare<[string, number, number], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${searchSql(1)}`)
        .all('x', 1, 1)
        .map(({ detail }) => detail)
      database.close()
      expect(plan).to.have.length(2)
      expect(plan[0]).to.match(/^SCAN text VIRTUAL TABLE INDEX \d+:.*M/)
      expect(plan[1]).to.equal('SEARCH document USING INDEX place_1 (place=?)')
    }),
  )

  it('is not written if the text is unchanged, and continues in the next millisecond if one is full', () => {
    const database = new SqliteDatabase(':memory:')
    database.exec(createTable(1, 0, placeColumnsSql))
    createTextIndex(database, 1)
    const index = openTextIndex(database, 1)
    const insert = database.prepare('INSERT INTO documents_1 (id, revision, body, place, digest) VALUES (?, 1, ?, ?, ?)')
    const changes = (): unknown => database.prepare('SELECT total_changes()').pluck().get()
    const text = { scope: 'ann', order: 5, words: 'sun' }
    const place = index.put('a', text, false)
    insert.run('a', '{}', ...place)
    const before = changes()
    expect(index.put('a', { ...text }, true)).to.deep.equal(place)
    expect(changes()).to.equal(before)
    expect(index.put('a', { ...text, words: 'moon' }, true)[0]).to.equal(place[0])
    expect(index.put('b', text, false)[0]).to.equal((5n << 18n) + 1n)
    database.prepare('UPDATE documents_1 SET place = ?').run((6n << 18n) - 1n)
    expect(index.put('b', text, false)[0]).to.equal(6n << 18n)
    database.close()
  })

  it(
    'works again after its thread has died',
    withFolder(async (path) => {
      const workers: Worker[] = []
      const connection = await openTexts(path, [put('a', 'ann', 'sun')], {
        startThread(module, data) {
          const worker = startThread(module, data)
          if (module === 'search-thread') workers.push(worker)
          return worker
        },
      })
      expect((await search(connection, 'sun')).records).to.have.length(1)
      const dying = search(connection, 'sun')
      await workers[0]?.terminate()
      const outcome = await dying.catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).to.have.property('code', 'database_search_failed')
      expect((await search(connection, 'sun')).records).to.have.length(1)
      expect(workers).to.have.length(2)
      await connection.close()
    }),
  )

  it(
    'queues a bounded number of searches, and drops those whose caller has left',
    withFolder(async (path) => {
      const connection = await openTexts(path, [put('a', 'ann', 'sun')])
      const controllers = Array.from({ length: 100 }, () => new AbortController())
      const reason = new Error('gone')
      const first = search(connection, 'sun')
      const waiting = controllers.map(({ signal }) => rejectionOf(search(connection, 'sun', signal)))
      expect(await rejectionOf(search(connection, 'sun'))).to.have.property('code', 'search_busy')
      for (const controller of controllers) controller.abort(reason)
      expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([reason]))
      expect((await first).records).to.have.length(1)
      const last = search(connection, 'sun')
      const late = rejectionOf(search(connection, 'sun'))
      await connection.close()
      expect((await last).records).to.have.length(1)
      expect(await late).to.have.property('code', 'database_closed')
    }),
  )

  it(
    'fails without the search words in the error',
    withFolder(async (path) => {
      const connection = await openTexts(path, [put('a', 'ann', 'sun')])
      await connection.close()
      const database = new SqliteDatabase(join(path, storeFileName))
      database.exec('DROP TABLE words_1')
      database.close()
      const searcher = createSearcher({ file: join(path, storeFileName), startThread })
      const request = { number: 1, scope: 'ann', terms: [{ words: ['privateword'], prefix: false }], limit: 1, maximumBytes: 1 }
      const error = await rejectionOf(searcher.search(request, undefined))
      expect(error).to.have.property('code', 'database_search_failed')
      expect(`${String(error)} ${String((error as Error).cause)}`).not.to.match(/privateword|words_1/)
      await searcher.close()
    }),
  )
})
