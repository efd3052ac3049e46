import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { LRUCache } from 'lru-cache'
import type { PictureTask, ReducedPicture } from './picture-task.js'

/** Makes pictures smaller in a thread of their own. */
export interface PictureReducer {
  /**
   * The picture within its limits; `undefined` if it cannot be read, takes too long, or too many
   * wait. What was made is kept for later turns. @throws the signal's reason.
   */
  reduce(task: PictureTask, signal: AbortSignal): Promise<ReducedPicture | undefined>
}

/** How long one picture may take. */
const maxTaskMs = 30_000
/** How many may wait. One is worked on at a time, since decoded ones are large. */
const maxWaiting = 200
/** How much base64 of smaller pictures is kept. */
const maxKeptLength = 64 * 1024 * 1024
/** How many pictures that could not be read are remembered. */
const maxFailed = 1_000

/** Each picture has a thread that ends with it: what a decoder takes and breaks ends too. */
export function createPictureReducer({ log }: { readonly log: Logger }): PictureReducer {
  const kept = new LRUCache<string, ReducedPicture>({ maxSize: maxKeptLength, sizeCalculation: ({ data }) => data.length })
  const failed = new LRUCache<string, true>({ max: maxFailed })
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const work = async (key: string, task: PictureTask, signal: AbortSignal): Promise<ReducedPicture | undefined> => {
    const known = kept.get(key)
    if (known !== undefined || failed.has(key)) return known
    try {
      const reduced = await reduceInThread(task, signal)
      if (reduced) kept.set(key, reduced)
      else failed.set(key, true)
      return reduced
    } catch (error) {
      signal.throwIfAborted()
      failed.set(key, true)
      log.warn('A picture could not be made smaller; models are not shown it.', { width: task.width, height: task.height, error })
      return undefined
    }
  }

  return {
    reduce(task, signal) {
      const key = keyOf(task)
      const known = kept.get(key)
      if (known !== undefined || failed.has(key)) return Promise.resolve(known)
      if (waiting >= maxWaiting) return Promise.resolve(undefined)
      waiting += 1
      const done = last.then(() => {
        signal.throwIfAborted()
        return work(key, task, signal)
      })
      last = done.then(ignored, ignored)
      return done.finally(() => {
        waiting -= 1
      })
    },
  }
}

const ignored = (): void => undefined

function keyOf({ data, maxSide, maxBase64Length, types }: PictureTask): string {
  const digest = createHash('sha256').update(data).digest('hex')
  return JSON.stringify([digest, maxSide, maxBase64Length, types])
}

async function reduceInThread(task: PictureTask, signal: AbortSignal): Promise<ReducedPicture | undefined> {
  const ending = signalWithin(maxTaskMs, signal)
  const thread = new Worker(new URL('./picture-thread.js', import.meta.url), {
    name: 'picture',
    workerData: task,
    argv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  // `once` below reports errors; one that comes while the thread is being ended is of no interest.
  thread.on('error', ignored)
  try {
    const ended = new AbortController()
    thread.once('exit', () => ended.abort(new Error('The thread ended without a result.')))
    const [result] = (await once(thread, 'message', { signal: AbortSignal.any([ending, ended.signal]) })) as [ReducedPicture | null]
    return result ?? undefined
  } finally {
    await thread.terminate()
  }
}
