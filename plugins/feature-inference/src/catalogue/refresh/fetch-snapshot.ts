import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { signalWithin } from '@agent-service/sdk/async'
import { catalogueRefreshError } from '../../common/errors.js'
import type { SnapshotAnswer, SnapshotOrder } from './snapshot-thread.js'

/** The text of a new snapshot, which holds by its schema, and how much is in it. */
export interface FetchedSnapshot {
  readonly text: string
  readonly models: number
  readonly brands: number
}

/**
 * Fetches a snapshot in a thread of its own, which is gone when this settles. @throws `catalogue_refresh_failed`; an abort throws the signal's reason.
 */
export async function fetchSnapshot(
  order: SnapshotOrder,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<FetchedSnapshot> {
  signal.throwIfAborted()
  const ending = signalWithin(limitMs, signal)
  const thread = new Worker(new URL('./snapshot-thread.js', import.meta.url), {
    name: 'catalogue-snapshot',
    workerData: order,
    argv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // Whoever waits hears of an error by itself; one that comes while the thread is being ended is of no interest, and must not end the process.
  thread.on('error', () => undefined)
  try {
    const answer = await firstAnswer(thread, ending)
    if ('failure' in answer) throw catalogueRefreshError.create({ reason: answer.failure })
    return answer
  } catch (error) {
    signal.throwIfAborted()
    if (ending.aborted) throw catalogueRefreshError.create({ reason: `it took longer than ${limitMs / 1_000} seconds` }, { cause: error })
    if (catalogueRefreshError.isInstance(error)) throw error
    throw catalogueRefreshError.create({ reason: 'the list could not be read' }, { cause: error })
  } finally {
    await thread.terminate()
  }
}

/** What the thread says. Its error rejects, and so does its end without a word. */
async function firstAnswer(thread: Worker, signal: AbortSignal): Promise<SnapshotAnswer> {
  const ended = new AbortController()
  thread.once('exit', () => ended.abort(new Error('The thread ended without an answer.')))
  const [answer] = (await once(thread, 'message', { signal: AbortSignal.any([signal, ended.signal]) })) as [SnapshotAnswer]
  return answer
}
