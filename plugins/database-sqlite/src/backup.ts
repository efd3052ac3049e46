import { rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Child, describeExit, startChild } from '@agent-service/sdk/process'
import type { BackupMessage } from './backup-program.js'
import { toServiceError } from './sqlite-errors.js'
import { filesOf, storeFileIn } from './store-file.js'

/** Dependencies of a backup. */
export interface BackupOptions {
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

/** How often the copy's size is looked at, in milliseconds. */
const lookMs = 100
/**
 * The time that the program has to end after SIGTERM. It never handles it: SQLite blocks the
 * thread.
 */
const graceMs = 10

/**
 * Copies a store into a folder, in a process of its own, durably: one moment, without anything that
 * was deleted. Progress is in bytes, and its last is `done === total`. @throws the signal's reason
 * when it is aborted, `storage_full` when the folder's disk is full; the folder is then as it was.
 */
export async function backUp(data: { readonly file: string; readonly folder: string }, options: BackupOptions): Promise<void> {
  const { signal, progress } = options
  signal.throwIfAborted()
  const target = storeFileIn(data.folder)
  const child = await startChild({
    command: process.execPath,
    args: [fileURLToPath(new URL('./backup-program.js', import.meta.url)), data.file, data.folder],
    ...{ signal, graceMs },
  })
  try {
    const total = await copied(child, target, progress)
    signal.throwIfAborted()
    progress(total, total)
  } catch (error) {
    await child.stop()
    for (const file of filesOf(target)) await rm(file, { force: true })
    signal.throwIfAborted()
    throw error
  }
}

/** Resolves to the total of the progress when the copy is whole. */
async function copied(child: Child, target: string, progress: BackupOptions['progress']): Promise<number> {
  let total = 1
  let looking: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const size = await stat(target).then(
      (found) => found.size,
      () => 0,
    )
    if (looking !== undefined) progress(Math.min(size, total), total)
  }
  try {
    for await (const line of createInterface({ input: Readable.from(child.output) })) {
      const message = JSON.parse(line) as BackupMessage
      if (message.kind === 'failed') throw toServiceError(message.error, target)
      if (message.kind === 'done') {
        const exit = await child.exit
        if (exit.code !== 0) throw new Error(`The backup's program failed: ${describeExit(exit)}.`)
        return total
      }
      total = Math.max(1, message.total)
      progress(0, total)
      looking = setInterval(() => void look(), lookMs)
    }
    throw new Error(`The backup's program ended early: ${describeExit(await child.exit)}.`)
  } finally {
    clearInterval(looking)
    looking = undefined
  }
}
