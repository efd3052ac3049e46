import { type CommitBatch, type CommitResult, type DatabaseHealth, databaseClosedError } from '@agent-service/sdk/contracts/database-driver'
import type { Catalogue } from './catalogue.js'
import { toServiceError, writerStoppedError } from './sqlite-errors.js'
import { toCommitResult, toWireBatch } from './wire-batches.js'
import { isStorageFull, type WireError } from './wire-error.js'
import type { WriterClient } from './writer-client.js'
import type { WireBatch, WriterReply, WriterRequest } from './writer-protocol.js'

/**
 * Everything that writes, in the order of the calls: commits in groups, and work that has the
 * writer to itself.
 */
export interface WriteQueue {
  commit(batch: CommitBatch): Promise<CommitResult>
  /** Runs work after all earlier calls, and before all later calls. */
  exclusive<Result>(work: (request: (request: WriterRequest) => Promise<WriterReply>) => Promise<Result>): Promise<Result>
  health(): DatabaseHealth
  /** Accepts nothing more; resolves when everything that was accepted has ended. */
  drain(): Promise<void>
}

/** Dependencies of a queue. */
export interface WriteQueueOptions {
  readonly file: string
  readonly catalogue: Catalogue
  /** The writer, started again if it has died. */
  readonly writer: () => Promise<WriterClient>
}

/** A group takes this many commits, so that the first of them does not wait for ever. */
const maximumGroup = 1024
/** A group is closed when its bodies have this many characters. */
const maximumGroupSize = 16 * 1024 * 1024
/** Groups with the writer at once: while one is synced, the next is already on its way. */
const maximumUnderWay = 2
/** How often room is looked for while the disk is full, in milliseconds. */
const probeInterval = 500

interface PendingCommit {
  readonly kind: 'commit'
  readonly batch: CommitBatch
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

interface PendingWork {
  readonly kind: 'work'
  readonly run: () => Promise<void>
}

/** Makes the queue of a connection. */
export function createWriteQueue({ file, catalogue, writer }: WriteQueueOptions): WriteQueue {
  let pending: (PendingCommit | PendingWork)[] = []
  let underWay = 0
  let working = false
  let scheduled = false
  let closed = false
  let full: string | undefined
  let probe: NodeJS.Timeout | undefined
  const idle: (() => void)[] = []

  const settleIdle = (): void => {
    if (pending.length === 0 && underWay === 0 && !working) for (const resolve of idle.splice(0)) resolve()
  }

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // Behind the callbacks and promises of this turn, so that all callers that an answer has woken
    // are in one group.
    setImmediate(() => {
      scheduled = false
      pump()
    })
  }

  const pump = (): void => {
    while (pending.length > 0 && !working && underWay < maximumUnderWay) {
      const [first] = pending
      if (first?.kind === 'work') {
        if (underWay > 0) return
        pending.shift()
        working = true
        void first.run().finally(() => {
          working = false
          pump()
          settleIdle()
        })
        return
      }
      void send(takeGroup())
    }
  }

  const takeGroup = (): PendingCommit[] => {
    const group: PendingCommit[] = []
    let size = 0
    for (const item of pending) {
      if (item.kind !== 'commit' || group.length >= maximumGroup || size > maximumGroupSize) break
      group.push(item)
      for (const write of item.batch.writes) size += write.kind === 'put' ? write.body.length : 0
    }
    pending = pending.slice(group.length)
    return group
  }

  const send = async (group: readonly PendingCommit[]): Promise<void> => {
    underWay += 1
    const sent: PendingCommit[] = []
    try {
      const batches: WireBatch[] = []
      for (const commit of group) {
        try {
          batches.push(toWireBatch(commit.batch, catalogue))
          sent.push(commit)
        } catch (error) {
          commit.reject(error)
        }
      }
      if (sent.length > 0) settle(sent, await (await writer()).request({ kind: 'commit', batches }))
    } catch (error) {
      for (const commit of sent) commit.reject(error)
    } finally {
      underWay -= 1
      schedule()
      settleIdle()
    }
  }

  const settle = (group: readonly PendingCommit[], reply: WriterReply): void => {
    if (reply.kind !== 'results')
      throw reply.kind === 'failed' ? fail(reply.error) : writerStoppedError.create({ reason: `it answered ${reply.kind}` })
    let committed = false
    for (const [position, result] of reply.results.entries()) {
      const commit = group[position]
      if (!commit) continue
      if ('error' in result) commit.reject(fail(result.error))
      else {
        commit.resolve(toCommitResult(commit.batch, result))
        committed ||= 'revision' in result
      }
    }
    if (committed && full !== undefined && !reply.results.some((result) => 'error' in result)) recovered()
  }

  const fail = (error: WireError): Error => {
    if (isStorageFull(error)) {
      full = `${error.message} (${error.code}) while writing ${file}`
      lookForRoom()
    }
    return toServiceError(error, file)
  }

  const recovered = (): void => {
    full = undefined
    clearTimeout(probe)
    probe = undefined
  }

  const lookForRoom = (): void => {
    if (probe || closed) return
    probe = setTimeout(async () => {
      probe = undefined
      try {
        const reply = await (await writer()).request({ kind: 'probe' })
        if (reply.kind === 'done') recovered()
        else lookForRoom()
      } catch {
        lookForRoom()
      }
    }, probeInterval)
    probe.unref()
  }

  return {
    commit(batch) {
      if (closed) return Promise.reject(databaseClosedError.create({}))
      return new Promise((resolve, reject) => {
        pending.push({ kind: 'commit', batch, resolve, reject })
        schedule()
      })
    },
    exclusive(work) {
      if (closed) return Promise.reject(databaseClosedError.create({}))
      return new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          try {
            const client = await writer()
            const request = async (message: WriterRequest): Promise<WriterReply> => {
              const reply = await client.request(message)
              if (reply.kind === 'failed') throw fail(reply.error)
              return reply
            }
            resolve(await work(request))
          } catch (error) {
            reject(error)
          }
        }
        pending.push({ kind: 'work', run })
        schedule()
      })
    },
    health: () => (full === undefined ? { writable: true } : { writable: false, code: 'storage_full', reason: full }),
    async drain() {
      closed = true
      clearTimeout(probe)
      await new Promise<void>((resolve) => {
        idle.push(resolve)
        schedule()
        settleIdle()
      })
    },
  }
}
