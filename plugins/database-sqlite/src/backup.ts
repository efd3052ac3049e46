import { rm } from 'node:fs/promises'
import type { BackupData, BackupMessage } from './backup-thread.js'
import { toServiceError } from './sqlite-errors.js'
import { filesOf, storeFileIn } from './store-file.js'
import type { StartThread } from './threads.js'

/** What a backup needs beside its target. */
export interface BackupOptions {
  readonly startThread: StartThread
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

/**
 * Copies a store into a folder, in a thread of its own, durably. The last progress is `done === total`.
 * @throws the signal's reason when it is aborted, `storage_full` when the folder's disk is full; the folder is then as it was.
 */
export async function backUp(data: BackupData, { startThread, signal, progress }: BackupOptions): Promise<void> {
  signal.throwIfAborted()
  const target = storeFileIn(data.folder)
  const worker = startThread('backup-thread', data)
  const end = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const abort = (): void => void worker.terminate()
  signal.addEventListener('abort', abort, { once: true })
  let pages = 1
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: BackupMessage) => {
        if (message.kind === 'done') resolve()
        else if (message.kind === 'failed') reject(toServiceError(message.error, target))
        else {
          pages = message.total
          progress(message.done, message.total)
        }
      })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(signal.aborted ? signal.reason : new Error(`The backup's thread exited with ${code}.`)))
    })
    await end
    signal.throwIfAborted()
    progress(pages, pages)
  } catch (error) {
    await worker.terminate()
    for (const file of filesOf(target)) await rm(file, { force: true })
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
