import { type FileHandle, lstat, open, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { messageOf } from '@agent-service/sdk/host'
import { configurationInvalid } from '../schema/problem.js'

export const maxConfigurationBytes = 1024 * 1024

/**
 * The bytes of the file at one moment; `undefined` if it does not exist. A file that changes while
 * it is read is read again.
 *
 * `settled`: also waits until the file has not been written for a moment, so that an editor or a
 * copy that writes into the file, instead of replacing it, is not read between two of its writes.
 * Without it the result may be incomplete, for callers that detect this by the revision.
 * `quietMs`: that moment, by default 20 milliseconds; `patienceMs`: how long to wait for a file
 * that keeps changing, by default 2,000.
 * @throws `configuration_invalid` if it is not a file, cannot be read, is too large, or keeps
 * changing.
 */
export async function readConfigurationBytes(
  path: string,
  options: { readonly settled: boolean; readonly quietMs?: number; readonly patienceMs?: number },
): Promise<Uint8Array | undefined> {
  const { settled, quietMs = 20, patienceMs = 2000 } = options
  const refuse = (message: string, cause?: unknown): never => {
    throw configurationInvalid(path, [{ path: '', message }], cause)
  }
  const until = performance.now() + patienceMs
  try {
    const found = await stat(path)
    if (found.isDirectory()) return refuse('is a folder; the configuration is a file.')
    // Opening a pipe would wait for a writer.
    if (!found.isFile()) return refuse('is not a regular file.')
    for (;;) {
      const handle = await open(path)
      try {
        const bytes = await readOnce(handle, settled ? quietMs : 0, refuse)
        if (bytes) return bytes
      } finally {
        await handle.close()
      }
      if (performance.now() >= until)
        return refuse(`has been written to without a pause for ${patienceMs} ms; try again when writing has ended.`)
      await setTimeout(quietMs)
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      return codeOf(error) === undefined ? rethrow(error) : refuse(`cannot be read: ${messageOf(error)}`, error)
    if (await isLink(path)) return refuse('is a link to a missing file.', error)
    return undefined
  }
}

/** The whole file, or nothing if it changed meanwhile. */
async function readOnce(handle: FileHandle, quietMs: number, refuse: (message: string) => never): Promise<Uint8Array | undefined> {
  const before = await handle.stat({ bigint: true })
  if (before.size > maxConfigurationBytes) return refuse(`has ${before.size} bytes; at most ${maxConfigurationBytes} are read.`)
  const bytes = await handle.readFile()
  const age = Date.now() - Number(before.mtimeMs)
  // When a file is truncated and rewritten, some file systems show the empty file before the new
  // modification time.
  if (quietMs > 0 && (bytes.length === 0 || Math.abs(age) < quietMs)) await setTimeout(quietMs)
  const after = await handle.stat({ bigint: true })
  const isSame = after.mtimeNs === before.mtimeNs && after.size === before.size && BigInt(bytes.length) === after.size
  return isSame ? bytes : undefined
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error && 'syscall' in error ? error.code : undefined)
const rethrow = (error: unknown): never => {
  throw error
}
