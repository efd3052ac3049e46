import { Worker } from 'node:worker_threads'
import { malformedJsonError, nestingTooDeepError, tooManyBodiesError } from '../errors.js'
import { ClientGoneError } from '../request/exchange.js'
import { createJsonBuilder } from './json-pieces.js'
import type { FromJsonThread, JsonRefusal, ToJsonThread } from './json-thread-messages.js'
import type { JsonWorker, ReadJson } from './json-worker.js'

/** The thread is ended after so long without work. */
const idleMs = 60_000
/** The longest that one body may take, waiting for others included. */
const readLimitMs = 60_000

interface PendingRead {
  readonly builder: ReturnType<typeof createJsonBuilder>
  resolve(read: ReadJson): void
  reject(error: unknown): void
}

/** Makes the worker. The thread starts with the first large body and does not keep the process alive. */
export function createJsonWorker(): JsonWorker {
  const pending = new Map<number, PendingRead>()
  let lastId = 0
  let thread: Worker | undefined
  let closed = false
  let idle: NodeJS.Timeout | undefined

  const endThread = async (error: unknown): Promise<void> => {
    const ending = thread
    thread = undefined
    clearTimeout(idle)
    for (const read of [...pending.values()]) read.reject(error)
    await ending?.terminate()
  }

  const threadFor = (): Worker => {
    clearTimeout(idle)
    if (thread) return thread
    const started = new Worker(new URL('./json-thread.js', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 1024 } })
    started.unref()
    started.on('message', (message: FromJsonThread) => take(started, message))
    // Out of memory, most likely: the bodies are more than the service can take just now.
    started.on('error', (error) => {
      if (thread === started) void endThread(tooManyBodiesError.create({}, { cause: error, retryAfterSeconds: 5 }))
    })
    thread = started
    return started
  }

  const take = (from: Worker, message: FromJsonThread): void => {
    const read = pending.get(message.id)
    if (!read) return
    if (message.kind === 'problems') read.resolve({ body: undefined, problems: message.problems })
    else if (message.kind === 'refused') read.reject(errorOf(message.refusal))
    else if (message.last) read.resolve({ body: read.builder.value(), problems: [] })
    else {
      read.builder.add(message.pieces)
      // Others get their turn between two batches.
      setImmediate(() => tell(from, { kind: 'next', id: message.id }))
    }
  }

  return {
    read(chunks, { schema, maximumDepth }, signal) {
      if (closed) return Promise.reject(tooManyBodiesError.create({}, { retryAfterSeconds: 5 }))
      lastId++
      const id = lastId
      return new Promise<ReadJson>((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          pending.delete(id)
          if (pending.size > 0 || !thread) return
          idle = setTimeout(() => void endThread(undefined), idleMs)
          idle.unref()
        }
        const giveUp = (error: unknown) => {
          settle()
          if (thread) tell(thread, { kind: 'forget', id })
          reject(error)
        }
        const gone = () => giveUp(new ClientGoneError('The exchange ended while its body was parsed.', { cause: signal.reason }))
        const timer = setTimeout(() => giveUp(tooManyBodiesError.create({}, { retryAfterSeconds: 5 })), readLimitMs)
        timer.unref()
        signal.addEventListener('abort', gone, { once: true })
        pending.set(id, {
          builder: createJsonBuilder(),
          resolve(read) {
            settle()
            resolve(read)
          },
          reject(error) {
            settle()
            reject(error)
          },
        })
        if (signal.aborted) return gone()
        threadFor().postMessage(
          { kind: 'read', id, chunks, schema: plain(schema), maximumDepth } satisfies ToJsonThread,
          chunks.map(({ buffer }) => buffer),
        )
        return undefined
      })
    },
    close() {
      closed = true
      return endThread(tooManyBodiesError.create({}, { retryAfterSeconds: 5 }))
    },
  }
}

const tell = (thread: Worker, message: ToJsonThread): void => thread.postMessage(message)

/** Schemas are data; what TypeBox marks them with cannot cross to another thread. */
const plain = <Schema>(schema: Schema): Schema => JSON.parse(JSON.stringify(schema)) as Schema

function errorOf(refusal: JsonRefusal): Error {
  switch (refusal.code) {
    case 'malformed_json':
      return malformedJsonError.create({ reason: refusal.reason })
    case 'nesting_too_deep':
      return nestingTooDeepError.create({ limit: refusal.limit })
    case 'failed':
      return new Error(`The body could not be parsed: ${refusal.message}`)
  }
}
