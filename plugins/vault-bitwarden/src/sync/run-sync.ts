import { Worker } from 'node:worker_threads'
import { onAbort, withTimeLimit } from '@agent-service/sdk/async'
import { vaultContentInvalidError, vaultCursorInvalidError, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import { vault } from '../connection/vault-name.js'
import type { SyncAnswer, SyncWork } from './sync-protocol.js'

const maxMs = 60_000
const maxHeapMb = 384

/**
 * Reads a sync in a thread, which ends with it and when the signal is aborted. @throws
 * `vault_content_invalid`, `vault_cursor_invalid`, `vault_unavailable`, the signal's reason.
 */
export async function runSync(
  work: SyncWork,
  { signal }: { readonly signal: AbortSignal },
): Promise<Exclude<SyncAnswer, { failed: unknown }>> {
  const timedOut = (): Error => vaultUnavailableError.create({ vault, reason: 'its items took too long to read' })
  const answer = await withTimeLimit((ended) => answerOf(work, ended), { limitMs: maxMs, signal, timedOut })
  if (!('failed' in answer)) return answer
  if (answer.failed === 'cursor') throw vaultCursorInvalidError.create({ vault })
  throw vaultContentInvalidError.create({ vault, reason: 'its answer is not the sync of a Bitwarden server' })
}

function answerOf(work: SyncWork, signal: AbortSignal): Promise<SyncAnswer> {
  const worker = new Worker(new URL('./sync-worker.js', import.meta.url), {
    workerData: work,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  return new Promise<SyncAnswer>((resolve, reject) => {
    worker.on('message', resolve)
    worker.on('error', (error: Error & { readonly code?: unknown }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : ended(error)),
    )
    worker.on('exit', () => reject(ended()))
    onAbort(signal, reject)
  }).finally(() => worker.terminate())
}

const tooLarge = (): Error =>
  vaultContentInvalidError.create({ vault, reason: `its items take more than ${maxHeapMb} MiB of memory to read` })

const ended = (cause?: unknown): Error =>
  vaultUnavailableError.create({ vault, reason: 'the thread that reads its items has ended' }, { cause })
