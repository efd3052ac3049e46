import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { openStore, rejectionOf, withFolder } from './test-store.test.js'
import { startThread } from './threads.js'
import type { WriterRequest } from './writer-protocol.js'

const layoutOf = (name: string, unique = false): CollectionLayout => ({
  name,
  version: 1,
  indexes: [{ name: 'by_rank', fields: ['rank'], unique }],
})
const names = ['test.a', 'test.b', 'test.c', 'test.d']

/** Opens a store; `requests` are the kinds of what its writer is asked. */
const openWatched = async (path: string) => {
  const requests: string[] = []
  const connection = await openStore(path, {
    startThread(module, data) {
      const worker = startThread(module, data)
      const post = worker.postMessage.bind(worker)
      worker.postMessage = (message: WriterRequest) => {
        requests.push(message.kind)
        post(message)
      }
      return worker
    },
  })
  return { connection, requests }
}

describe('collections that are created together', () => {
  it(
    'share one transaction, and exist after a reopen',
    withFolder(async (path) => {
      const { connection, requests } = await openWatched(path)
      await Promise.all(names.map((name) => connection.ensureCollection(layoutOf(name), () => [null])))
      expect(requests).to.deep.equal(['create'])
      await connection.commit({
        checks: [],
        writes: names.map((collection) => ({ kind: 'put', collection, id: 'x', body: '{"id":"x"}', keys: [Buffer.from(collection)] })),
      })
      await connection.close()
      const again = await openStore(path)
      expect(await again.layouts()).to.deep.equal(names.map((name) => layoutOf(name)))
      for (const name of names)
        expect(await again.find(name, 'by_rank', Buffer.from(name))).to.deep.equal({ id: 'x', revision: 1, body: '{"id":"x"}' })
      await again.close()
    }),
  )

  it(
    'under one name get the layout of the last call',
    withFolder(async (path) => {
      const { connection, requests } = await openWatched(path)
      await Promise.all([
        connection.ensureCollection(layoutOf('test.a'), () => [null]),
        connection.ensureCollection(layoutOf('test.a', true), () => [null]),
        connection.ensureCollection(layoutOf('test.b'), () => [null]),
      ])
      expect(await connection.layouts()).to.deep.equal([layoutOf('test.a', true), layoutOf('test.b')])
      expect(requests).to.deep.equal(['create', 'begin-layout', 'finish-layout'])
      await connection.close()
    }),
  )

  it(
    'are written and read beside those before them, also after one was dropped',
    withFolder(async (path) => {
      const { connection } = await openWatched(path)
      const put = (collection: string, id: string) => ({
        ...{ kind: 'put' as const, collection, id, body: `{"id":"${id}"}`, keys: [Buffer.from(id)] },
      })
      await connection.ensureCollection(layoutOf('test.b'), () => [null])
      await connection.commit({ checks: [], writes: [put('test.b', 'one')] })
      expect(await connection.read('test.b', ['one'])).to.have.length(1)
      await connection.ensureCollection(layoutOf('test.c'), () => [null])
      await connection.dropCollection('test.c')
      await connection.ensureCollection(layoutOf('test.a'), () => [null])
      await connection.commit({ checks: [], writes: [put('test.a', 'two'), put('test.b', 'two')] })
      expect(await connection.layouts()).to.deep.equal([layoutOf('test.a'), layoutOf('test.b')])
      for (const name of ['test.a', 'test.b'])
        expect((await connection.read(name, ['two'])).map((record) => record?.revision)).to.deep.equal([2])
      expect(await connection.find('test.b', 'by_rank', Buffer.from('one'))).to.have.property('id', 'one')
      await connection.close()
    }),
  )

  it(
    'fail together, and can be created again',
    withFolder(async (path) => {
      const { connection } = await openWatched(path)
      // A name that no column takes: the statement fails in the thread, in the middle of the
      // transaction.
      const broken = { ...layoutOf('test.b'), name: null as unknown as string }
      const results = await Promise.allSettled(
        [layoutOf('test.a'), broken, layoutOf('test.c')].map((layout) => connection.ensureCollection(layout, () => [null])),
      )
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
      expect(await connection.layouts()).to.deep.equal([])
      await connection.ensureCollection(layoutOf('test.a'), () => [null])
      expect(await connection.layouts()).to.deep.equal([layoutOf('test.a')])
      await connection.close()
    }),
  )

  it(
    'are refused after a close',
    withFolder(async (path) => {
      const { connection } = await openWatched(path)
      await connection.close()
      expect(await rejectionOf(connection.ensureCollection(layoutOf('test.a'), () => [null]))).to.have.property('code', 'database_closed')
    }),
  )
})
