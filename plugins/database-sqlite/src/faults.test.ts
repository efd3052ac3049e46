import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { storageFullError } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { writerStoppedError } from './sqlite-errors.js'
import { notes, openStore, put, rejectionOf, withFolder } from './test-store.test.js'
import { startThread } from './threads.js'

const idsOf = async (connection: DatabaseConnection): Promise<string[]> =>
  (await connection.scan(notes.name, { limit: 1000 })).map(({ id }) => id)

describe('the death of the writer', () => {
  it(
    'rejects its pending commits, and the next commit gets a new writer',
    withFolder(async (path) => {
      const writers: Worker[] = []
      const connection = await openStore(path, {
        startThread(module, data) {
          const worker = startThread(module, data)
          if (module === 'writer-thread') writers.push(worker)
          return worker
        },
      })
      await connection.ensureCollection(notes, () => [null])
      await connection.commit(put('before'))
      const [writer] = writers
      if (!writer) throw new Error('No writer was started.')
      // The message reaches the thread after its end, so this commit is never answered.
      const post = writer.postMessage.bind(writer)
      writer.postMessage = (message: unknown) => {
        void writer.terminate().then(() => post(message))
      }
      const lost = await rejectionOf(connection.commit(put('lost')))
      expect(writerStoppedError.isInstance(lost), String(lost)).to.equal(true)
      expect((await connection.commit(put('after'))).outcome).to.equal('committed')
      expect(writers).to.have.length(2)
      expect(await idsOf(connection)).to.deep.equal(['after', 'before'])
      await connection.close()
    }),
  )
})

describe('a full disk', () => {
  const limitFiles = (bytes: string): Promise<unknown> =>
    promisify(execFile)('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])

  it(
    'fails the commit with storage_full, allows reads, and recovers once there is room',
    withFolder(async (path) => {
      const connection = await openStore(path)
      await connection.ensureCollection(notes, () => [null])
      await connection.commit(put('before'))
      await limitFiles('400000')
      try {
        const large = connection.commit(put('large', 'x'.repeat(2_000_000)))
        const error = await rejectionOf(large)
        expect(storageFullError.isInstance(error), String(error)).to.equal(true)
        expect(connection.health()).to.include({ writable: false, code: 'storage_full' })
        expect(await idsOf(connection)).to.deep.equal(['before'])
      } finally {
        await limitFiles('unlimited')
      }
      expect((await connection.commit(put('after', 'x'.repeat(2_000_000)))).outcome).to.equal('committed')
      expect(connection.health()).to.deep.equal({ writable: true })
      expect(await idsOf(connection)).to.deep.equal(['after', 'before'])
      await connection.close()
      const again = await openStore(path)
      expect(await idsOf(again)).to.deep.equal(['after', 'before'])
      await again.close()
    }),
  )

  it(
    'does not fail small commits that came with the one that is too large',
    withFolder(async (path) => {
      const connection = await openStore(path)
      await connection.ensureCollection(notes, () => [null])
      await limitFiles('400000')
      try {
        const commits = [connection.commit(put('a')), connection.commit(put('large', 'x'.repeat(2_000_000))), connection.commit(put('b'))]
        const outcomes = await Promise.allSettled(commits)
        expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      } finally {
        await limitFiles('unlimited')
      }
      expect(await idsOf(connection)).to.deep.equal(['a', 'b'])
      await connection.close()
    }),
  )
})
