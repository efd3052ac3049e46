import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { type Hold, type LimitDefinition, limitReachedError, overloadedError, type Quotas } from '@agent-service/sdk/services/quotas'
import { LRUCache } from 'lru-cache'
import type { PictureTask, ReducedPicture } from './picture-task.js'

/** Makes pictures smaller in a thread of their own. */
export interface PictureReducer {
  /**
   * The picture within its limits; `undefined` if it cannot be read, takes too long, or too many
   * wait. What was made is kept for later turns. @throws the signal's reason.
   */
  reduce(task: PictureTask, turn: PictureTurn): Promise<ReducedPicture | undefined>
}

/** Whose picture it is: users take turns, so that the many of one never keep another's waiting. */
export interface PictureTurn {
  readonly userId: string | undefined
  readonly signal: AbortSignal
}

/** How long one picture may take. */
const maxTaskMs = 30_000
/** How much base64 of smaller pictures is kept. */
const maxKeptLength = 64 * 1024 * 1024
/** How many pictures that could not be read are remembered. */
const maxFailed = 1_000

/** One is worked on at a time, since decoded ones are large. */
export const picturesInWork: LimitDefinition = {
  name: 'pictures-in-work',
  counts: 'pictures that are made smaller',
  maxPerHolder: 1,
  maxTotal: 1,
  waiting: { maxPerHolder: 200, maxTotal: 2_000, maxMs: 300_000 },
}

/** Each picture has a thread that ends with it: what a decoder takes and breaks ends too. */
export function createPictureReducer({ log, quotas }: { readonly log: Logger; readonly quotas: Quotas }): PictureReducer {
  const kept = new LRUCache<string, ReducedPicture>({ maxSize: maxKeptLength, sizeCalculation: ({ data }) => data.length })
  const failed = new LRUCache<string, true>({ max: maxFailed })
  const limit = quotas.limit(picturesInWork)

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

  const turnOf = async ({ userId, signal }: PictureTurn): Promise<Hold | undefined> => {
    try {
      return await limit.acquire(userId === undefined ? 'service' : `user:${userId}`, 1, { signal })
    } catch (error) {
      if (!limitReachedError.isInstance(error) && !overloadedError.isInstance(error)) throw error
      log.warn('Too many pictures wait to be made smaller; a model is not shown one of them.', { error })
      return undefined
    }
  }

  return {
    async reduce(task, turn) {
      const key = keyOf(task)
      const known = kept.get(key)
      if (known !== undefined || failed.has(key)) return known
      const hold = await turnOf(turn)
      if (!hold) return undefined
      try {
        return await work(key, task, turn.signal)
      } finally {
        hold.release()
      }
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
