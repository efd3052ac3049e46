import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { signalWithin } from '@agent-service/sdk/async'
import { catalogueRefreshError } from '../../common/errors.js'
import type { SnapshotRequest, SnapshotResult } from './snapshot-thread.js'

/** The text of a new snapshot, which is valid by its schema, with its counts. */
export interface FetchedSnapshot {
  readonly text: string
  readonly models: number
  readonly brands: number
}

/**
 * Fetches a snapshot in a separate thread, which has ended when this settles.
 * @throws `catalogue_refresh_failed`; an abort throws the signal's reason.
 */
export async function fetchSnapshot(
  request: SnapshotRequest,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<FetchedSnapshot> {
  signal.throwIfAborted()
  const ending = signalWithin(timeoutMs, signal)
  const thread = new Worker(new URL('./snapshot-thread.js', import.meta.url), {
    name: 'catalogue-snapshot',
    workerData: request,
    argv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // `once` below reports errors. One that occurs while the thread is being ended must not end the
  // process.
  thread.on('error', () => undefined)
  try {
    const result = await resultOf(thread, ending)
    if ('failure' in result) throw catalogueRefreshError.create({ reason: result.failure })
    return result
  } catch (error) {
    signal.throwIfAborted()
    if (ending.aborted) throw catalogueRefreshError.create({ reason: `it took longer than ${timeoutMs / 1_000} seconds` }, { cause: error })
    if (catalogueRefreshError.isInstance(error)) throw error
    throw catalogueRefreshError.create({ reason: 'the list could not be read' }, { cause: error })
  } finally {
    await thread.terminate()
  }
}

/** The message of the thread. Rejects on its error, or if it ends without a message. */
async function resultOf(thread: Worker, signal: AbortSignal): Promise<SnapshotResult> {
  const ended = new AbortController()
  thread.once('exit', () => ended.abort(new Error('The thread ended without a result.')))
  const [result] = (await once(thread, 'message', { signal: AbortSignal.any([signal, ended.signal]) })) as [SnapshotResult]
  return result
}
