import { lstat, opendir, unlink } from 'node:fs/promises'
import { type CheckedFolder, orAbsent } from './disk/index.js'
import { bytesNameOf, cutOffMs, recordNameOf, uploadLifeMs, uploadPartOf } from './upload-record.js'

/**
 * Removes the uploads of an incoming folder that nothing was added to for their lifetime, those
 * that are finished too, and after ten minutes bytes that have no record: they cannot be seen or
 * ended, and they count against the user's limit. `removed` gets the number of the bytes.
 */
export async function sweepUploads(
  incoming: CheckedFolder,
  options: {
    readonly now: number
    readonly signal: AbortSignal
    readonly busy: ReadonlySet<string>
    readonly removed: (bytes: number) => void
  },
): Promise<void> {
  const { now, signal, busy, removed } = options
  const isOlder = async (name: string, ageMs: number): Promise<boolean> => {
    const found = await orAbsent(lstat(incoming.at(name)))
    return found !== undefined && found.mtimeMs < now - ageMs
  }
  for await (const { name } of await opendir(incoming.self)) {
    signal.throwIfAborted()
    const part = uploadPartOf(name)
    if (!part || busy.has(part.id) || !(await isOlder(name, part.isRecord ? uploadLifeMs : cutOffMs))) continue
    const record = recordNameOf(part.id)
    // The record decides, and goes first: bytes without one are never taken for a file.
    if (!part.isRecord && (await orAbsent(lstat(incoming.at(record))))) continue
    if (part.isRecord) await orAbsent(unlink(incoming.at(record)))
    const bytes = await orAbsent(lstat(incoming.at(bytesNameOf(part.id))))
    if (!bytes) continue
    await orAbsent(unlink(incoming.at(bytesNameOf(part.id))))
    removed(bytes.size)
  }
}
