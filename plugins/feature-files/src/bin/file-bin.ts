import { randomBytes } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'
import { binName } from '../file-access.js'

/** Something that waits in the bin. */
export interface BinnedFile {
  /** Sorts the latest first. */
  readonly id: string
  /** Where it was: `files/report.pdf`. */
  readonly path: string
  readonly kind: UserFileEntry['kind']
  /** In bytes; 0 for a folder. */
  readonly size: number
  /** In milliseconds since 1970. */
  readonly deletedAt: number
}

/** Whether a text can be the id of an entry, and with that a name in the bin. */
export const isBinId = (text: string): boolean => /^[0-9]{13}-[0-9a-f]{12}$/.test(text)

const lastMoment = 9_999_999_999_999
const folderOf = (id: string): string => `${binName}/${id}`
const aboutOf = (id: string): string => `${folderOf(id)}/about.json`
const contentOf = (id: string): string => `${folderOf(id)}/content`

/**
 * Moves an entry into the bin, with a note of where it was. A crash in between leaves a note
 * without content, which no list shows.
 */
export async function putIntoBin(
  folder: UserFolder,
  from: string,
  about: { readonly path: string; readonly entry: UserFileEntry },
  clock: Pick<Clock, 'now'>,
): Promise<BinnedFile> {
  const deletedAt = clock.now()
  const id = `${String(lastMoment - deletedAt).padStart(13, '0')}-${randomBytes(6).toString('hex')}`
  const note = { path: about.path, kind: about.entry.kind, size: about.entry.size, deletedAt }
  await folder.write(aboutOf(id), new TextEncoder().encode(JSON.stringify(note)))
  try {
    await folder.move(from, contentOf(id))
  } catch (error) {
    await folder.remove(folderOf(id), { recursive: true })
    throw error
  }
  return { id, ...note }
}

/** What is in the bin, the latest first. */
export async function listBin(
  folder: UserFolder,
  options: { readonly limit: number; readonly after?: string; readonly signal: AbortSignal },
): Promise<{ readonly items: readonly BinnedFile[]; readonly next: string | undefined }> {
  const page = await folder.list(binName, options)
  const found = await Promise.all((page?.items ?? []).map(({ name }) => readBinned(folder, name)))
  return { items: found.flatMap((each) => each ?? []), next: page?.next }
}

/** One entry of the bin; `undefined` if it is not there. */
export async function readBinned(folder: UserFolder, id: string): Promise<BinnedFile | undefined> {
  if (!isBinId(id)) return undefined
  const [about, content] = await Promise.all([folder.read(aboutOf(id)), folder.stat(contentOf(id))])
  const note = about && parse(about.bytes)
  return note && content ? { id, ...note } : undefined
}

/** Moves an entry back to a path. */
export async function restoreFromBin(folder: UserFolder, id: string, to: string): Promise<UserFileEntry> {
  const entry = await folder.move(contentOf(id), to)
  await folder.remove(folderOf(id), { recursive: true })
  return entry
}

/** Deletes an entry for good; false if there was none. */
export const deleteFromBin = async (folder: UserFolder, id: string): Promise<boolean> =>
  isBinId(id) && (await folder.remove(folderOf(id), { recursive: true }))

/** Deletes all that is in the bin for good. */
export const emptyBin = (folder: UserFolder): Promise<boolean> => folder.remove(binName, { recursive: true })

/** A note as it was written; others in the folder are passed over. */
function parse(bytes: Uint8Array): Omit<BinnedFile, 'id'> | undefined {
  try {
    const { path, kind, size, deletedAt } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<BinnedFile>
    const isNote = typeof path === 'string' && typeof size === 'number' && typeof deletedAt === 'number'
    return isNote && (kind === 'file' || kind === 'folder' || kind === 'link' || kind === 'other')
      ? { path, kind, size, deletedAt }
      : undefined
  } catch {
    return undefined
  }
}
