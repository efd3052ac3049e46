import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import { beginLayoutChange, createCollections, dropCollection, type LayoutChange } from './change-layout.js'
import { createCheckpoints } from './checkpoints.js'
import { createGroupCommitter, type GroupCommitter } from './commit-group.js'
import { openStoreForWriting, probeRoom } from './open-store.js'
import { createPurgeSteps, type PurgeSteps } from './purge-steps.js'
import { storeFileIn } from './store-file.js'
import { toWireError } from './wire-error.js'
import type { WriterData, WriterReply, WriterRequest } from './writer-protocol.js'

/**
 * The thread that holds the one connection that writes. It answers requests one after the other;
 * its first message says how opening went.
 */

const port = parentPort
if (!port) throw new Error('The database writer runs in a thread of its own.')

const data = workerData as WriterData

function writeAndSync(path: string, bytes: Buffer): void {
  const handle = openSync(path, 'w', 0o600)
  try {
    writeSync(handle, bytes)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

interface AnswerMeans {
  readonly database: Database
  readonly committer: GroupCommitter
  readonly purge: PurgeSteps
}

function createAnswer({ database, committer, purge }: AnswerMeans): (request: WriterRequest) => WriterReply {
  let change: LayoutChange | undefined
  const changed = (): LayoutChange => {
    if (!change) throw new Error('No layout is being changed.')
    return change
  }
  return (request) => {
    switch (request.kind) {
      case 'commit':
        return { kind: 'results', results: committer.commit(request.batches) }
      case 'create': {
        const collections = createCollections(database, request.layouts)
        committer.add(collections)
        return { kind: 'created', collections }
      }
      case 'begin-layout':
        change = beginLayoutChange(database, request.layout)
        return { kind: 'fill', positions: change.positions, text: change.text }
      case 'fill':
        changed().fill(request.rows)
        return { kind: 'done' }
      case 'finish-layout': {
        const violated = changed().finish()
        change = undefined
        committer.forget()
        return violated === undefined ? { kind: 'done' } : { kind: 'unique-violation', index: violated }
      }
      case 'abandon-layout':
        change?.abandon()
        change = undefined
        return { kind: 'done' }
      case 'drop':
        dropCollection(database, request.name)
        committer.forget()
        return { kind: 'done' }
      case 'purge':
        return { kind: 'purged', progress: purge.take(request.place) }
      case 'probe':
        probeRoom(data.folder, writeAndSync)
        return { kind: 'done' }
      case 'close':
        database.close()
        purge.close()
        return { kind: 'done' }
    }
  }
}

try {
  const database = openStoreForWriting(data)
  const answer = createAnswer({
    database,
    committer: createGroupCommitter(database),
    purge: createPurgeSteps(database, storeFileIn(data.folder)),
  })
  const checkpoints = createCheckpoints(database)
  port.on('message', (request: WriterRequest) => {
    let reply: WriterReply
    try {
      reply = answer(request)
    } catch (error) {
      reply = { kind: 'failed', error: toWireError(error) }
    }
    port.postMessage(reply)
    if (request.kind === 'close') port.close()
    else if (!database.inTransaction) checkpoints.whenDue()
  })
  port.postMessage({ kind: 'done' } satisfies WriterReply)
} catch (error) {
  const newer = error instanceof Error && 'newerVersion' in error ? Number(error.newerVersion) : undefined
  const reply: WriterReply = newer === undefined ? { kind: 'failed', error: toWireError(error) } : { kind: 'newer', found: newer }
  port.postMessage(reply)
  port.close()
}
