import type { Worker } from 'node:worker_threads'
import { databaseNewerError } from '@agent-service/sdk/contracts/database-driver'
import { schemaVersion } from './schema.js'
import { toServiceError, writerStoppedError } from './sqlite-errors.js'
import { storeFileIn } from './store-file.js'
import type { StartThread } from './threads.js'
import { toWireError } from './wire-error.js'
import type { WriterData, WriterReply, WriterRequest } from './writer-protocol.js'

/** The writer's thread as requests and answers. */
export interface WriterClient {
  /**
   * Requests are answered in order; several may be under way. Rejects with
   * `database_writer_stopped` when the thread ends before its answer.
   */
  request(request: WriterRequest): Promise<WriterReply>
  /** Resolves when the thread has ended. The last request should have been `close`. */
  ended(): Promise<void>
}

/** Dependencies of a writer client. */
export interface WriterClientOptions {
  readonly data: WriterData
  readonly startThread: StartThread
  readonly signal: AbortSignal
  /** The thread ended without being asked to. */
  readonly onStop: (reason: string) => void
}

interface Waiting {
  readonly resolve: (reply: WriterReply) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts the thread and waits until it has opened the file.
 * @throws the errors of `DatabaseDriver.open`.
 */
export async function startWriter({ data, startThread, signal, onStop }: WriterClientOptions): Promise<WriterClient> {
  signal.throwIfAborted()
  const file = storeFileIn(data.folder)
  const worker = startThread('writer-thread', data)
  const waiting: Waiting[] = []
  let closing = false
  let stopped: string | undefined

  const next = (): Promise<WriterReply> =>
    new Promise((resolve, reject) => {
      if (stopped !== undefined) reject(writerStoppedError.create({ reason: stopped }))
      else {
        if (waiting.length === 0) worker.ref()
        waiting.push({ resolve, reject })
      }
    })
  const stop = (reason: string): void => {
    if (stopped !== undefined) return
    stopped = reason
    for (const { reject } of waiting.splice(0)) reject(writerStoppedError.create({ reason }))
    if (!closing) onStop(reason)
  }
  const end = waitForEnd(worker)
  worker.on('message', (reply: WriterReply) => {
    const first = waiting.shift()
    // An idle writer does not keep the process alive; one that opens, works or closes does.
    if (waiting.length === 0 && !closing) worker.unref()
    first?.resolve(reply)
  })
  worker.on('messageerror', (error) => stop(error.message))
  worker.on('error', (error) => stop(toWireError(error).message))
  worker.on('exit', (code) => stop(`it exited with ${code}`))

  const abort = (): void => void worker.terminate()
  signal.addEventListener('abort', abort, { once: true })
  try {
    const opened = next()
    closing = true
    const reply = await opened
    if (reply.kind === 'newer')
      throw databaseNewerError.create({ what: `The database file ${file}`, found: reply.found, known: schemaVersion })
    if (reply.kind === 'failed') throw toServiceError(reply.error, file)
    closing = false
    worker.unref()
  } catch (error) {
    await end
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }

  return {
    request(request) {
      const reply = next()
      if (request.kind === 'close') closing = true
      if (stopped === undefined) worker.postMessage(request)
      return reply
    },
    ended: () => end,
  }
}

function waitForEnd(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once('exit', () => resolve()))
}
