import { type FileHandle, lstat, open, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { configurationInvalid } from '../schema/problem.js'

/** The most bytes that a configuration file may have. */
export const maxConfigurationBytes = 1024 * 1024

/**
 * The bytes of the file as they were at one moment; `undefined` where there is none. A file that changes while it is read is read again.
 *
 * `settled`: also waits until nobody has written to it for a moment, so that an editor or a copy that writes into the file, rather than replacing it,
 * is not caught between two of its writes. Without it what is given may be such a half, for callers to whom a revision tells that.
 * `quietMs`: that moment, by default 20 milliseconds; `patienceMs`: how long a file that goes on changing is waited for, by default 2,000.
 * @throws `configuration_invalid` for what is no file, cannot be read, is too large, or does not come to rest.
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
        return refuse(`has been written to without a pause for ${patienceMs} ms; leave it alone for a moment.`)
      await setTimeout(quietMs)
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      return codeOf(error) === undefined ? rethrow(error) : refuse(`cannot be read: ${messageOf(error)}`, error)
    if (await isLink(path)) return refuse('is a link to a file that is not there.', error)
    return undefined
  }
}

/** The whole file, or nothing when it changed meanwhile. */
async function readOnce(handle: FileHandle, quietMs: number, refuse: (message: string) => never): Promise<Uint8Array | undefined> {
  const before = await handle.stat({ bigint: true })
  if (before.size > maxConfigurationBytes) return refuse(`has ${before.size} bytes; at most ${maxConfigurationBytes} are read.`)
  const bytes = await handle.readFile()
  const age = Date.now() - Number(before.mtimeMs)
  // While a file is emptied, to be written anew, some file systems show that it is empty before they show when it was changed.
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
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const rethrow = (error: unknown): never => {
  throw error
}
