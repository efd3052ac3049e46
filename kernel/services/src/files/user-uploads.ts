import { constants } from 'node:fs'
import { open, opendir, unlink } from 'node:fs/promises'
import {
  type UserUpload,
  type UserUploads,
  userFileNotFoundError,
  userPathInvalidError,
  userUploadLockedError,
  userUploadsTooManyError,
} from '@agent-service/sdk/services/user-files'
import { appendToUpload, finishUpload } from './append-to-upload.js'
import { checkConditions, checkReplaceable } from './conditions.js'
import { type CheckedFolder, orAbsent } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { type FileTree, ownerOf } from './file-tree.js'
import { incomingTree, openIncoming } from './incoming-folder.js'
import type { PathLocks } from './path-locks.js'
import { splitPath } from './path-names.js'
import type { StoredBytes } from './stored-bytes.js'
import { storedPath } from './stored-path.js'
import { openFolder, realPathIn } from './tree-folders.js'
import {
  bytesNameOf,
  newUploadId,
  readUpload,
  recordNameOf,
  type StoredUpload,
  toUserUpload,
  type UploadRecord,
  uploadPartOf,
  writeRecord,
} from './upload-record.js'

/** How many unfinished uploads a user may have, in all subsystems. */
const maxUnfinished = 100

/** What the uploads of all users share. */
export interface UploadsShare {
  readonly locks: PathLocks
  readonly stored: StoredBytes
  /** The ids of uploads that a request is changing. */
  readonly busy: Set<string>
}

/** The uploads below one folder of a user. */
export function createUserUploads(tree: FileTree, share: UploadsShare): UserUploads {
  return Object.freeze<UserUploads>({
    begin: (path, options) => beginUpload(tree, path, options, share),
    async find(id) {
      const found = await withUploads(tree, (incoming) => ownUpload(tree, incoming, id))
      return found && toUserUpload(found)
    },
    async list() {
      const found = await withUploads(tree, (incoming) => unfinishedIn(tree, incoming))
      return (found ?? []).sort((left, right) => left.changedAt - right.changedAt).map(toUserUpload)
    },
    append: (id, content, options) =>
      alone(share, id, () =>
        withUploads(tree, async (incoming) => {
          const upload = await ownUpload(tree, incoming, id)
          return upload && appendToUpload({ tree, incoming, upload, ...share }, content, options)
        }),
      ),
    drop: (id) => alone(share, id, async () => (await withUploads(tree, (incoming) => dropUpload(tree, incoming, id, share))) ?? false),
  })
}

async function beginUpload(
  tree: FileTree,
  given: string,
  { size, note = '', ...conditions }: Parameters<UserUploads['begin']>[1],
  share: UploadsShare,
): Promise<UserUpload> {
  const path = await storedPath(tree, given)
  const { folder: names, name } = splitPath(path)
  if (!Number.isSafeInteger(size) || size < 0) throw userPathInvalidError.create({ path, problem: 'needs a size in whole bytes' })
  const folder = await openFolder(tree, names)
  if (!folder && (await realPathIn(tree, path, {})) === undefined) throw userFileNotFoundError.create({ path })
  try {
    const found = await folder?.look(name)
    const entry = found && fileEntry(path, found)
    checkReplaceable(path, entry, found?.isFile() ?? false)
    checkConditions(path, entry, conditions)
  } finally {
    await folder?.close()
  }
  const incoming = await changing(path, () => openIncoming(tree))
  try {
    if ((await unfinishedIds(incoming)).length >= maxUnfinished) throw userUploadsTooManyError.create({ max: maxUnfinished })
    const id = newUploadId()
    // While it is busy, its bytes are not taken for leftovers.
    return await alone(share, id, () => makeUpload({ tree, incoming, share }, id, { path, size, note, conditions }))
  } finally {
    await incoming.close()
  }
}

async function makeUpload(
  { tree, incoming, share }: { readonly tree: FileTree; readonly incoming: CheckedFolder; readonly share: UploadsShare },
  id: string,
  { path, size, note, conditions }: Omit<UploadRecord, 'root'>,
): Promise<UserUpload> {
  const [handle, bytes] = [ownerOf(tree), bytesNameOf(id)]
  const room = await share.stored.reserve(handle, size, { path, upload: bytes })
  try {
    room.writeAs(bytes)
    await changing(path, () => createBytes(incoming, id, size))
    // One step: what was held is pending from now on.
    room.store(size)
    share.stored.pending(handle, bytes, size)
  } catch (error) {
    room.release()
    // They may have been found on the disk meanwhile.
    share.stored.pending(handle, bytes, 0)
    throw error
  }
  try {
    const root = tree.rootNames.join('/')
    await changing(path, async () => {
      await writeRecord(incoming, id, { root, path, size, note, conditions })
      await incoming.sync()
    })
    const begun = await ownUpload(tree, incoming, id)
    if (!begun) throw new Error('The record of a new upload cannot be read.')
    return toUserUpload(size === 0 ? await finishUpload({ tree, incoming, upload: begun, ...share }) : begun)
  } catch (error) {
    await removeUpload(incoming, id)
    share.stored.freed(handle, size)
    share.stored.pending(handle, bytes, 0)
    throw error
  }
}

/** Creates the file for the bytes, with its whole length: it takes its share of the limit, and no blocks. */
async function createBytes(incoming: CheckedFolder, id: string, size: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const path = incoming.at(bytesNameOf(id))
  const handle = await open(path, flags, 0o600)
  try {
    await handle.truncate(size)
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await handle.close()
  }
}

async function dropUpload(tree: FileTree, incoming: CheckedFolder, id: string, { stored }: Pick<UploadsShare, 'stored'>): Promise<boolean> {
  const upload = await ownUpload(tree, incoming, id)
  const bytes = await incoming.look(bytesNameOf(id))
  if (!upload) return false
  await removeUpload(incoming, id)
  if (bytes) stored.freed(ownerOf(tree), upload.size)
  stored.pending(ownerOf(tree), bytesNameOf(id), 0)
  return bytes !== undefined
}

/** Removes the record first: a record without bytes is that of a finished upload. */
async function removeUpload(incoming: CheckedFolder, id: string): Promise<void> {
  await orAbsent(unlink(incoming.at(recordNameOf(id))))
  await orAbsent(unlink(incoming.at(bytesNameOf(id))))
}

const ownUpload = async (tree: FileTree, incoming: CheckedFolder, id: string): Promise<StoredUpload | undefined> => {
  const upload = await readUpload(incoming, id)
  return upload?.root === tree.rootNames.join('/') ? upload : undefined
}

/** Does something with the folder of the uploads, if there is one. */
async function withUploads<Result>(tree: FileTree, work: (incoming: CheckedFolder) => Promise<Result>): Promise<Result | undefined> {
  const incoming = await openFolder(incomingTree(tree, ownerOf(tree)), [])
  try {
    return incoming && (await work(incoming))
  } finally {
    await incoming?.close()
  }
}

async function unfinishedIn(tree: FileTree, incoming: CheckedFolder): Promise<StoredUpload[]> {
  const found = await Promise.all((await unfinishedIds(incoming)).map((id) => ownUpload(tree, incoming, id)))
  return found.flatMap((upload) => (upload && !upload.isFinished ? [upload] : []))
}

async function unfinishedIds(incoming: CheckedFolder): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { name } of await opendir(incoming.self)) {
    const part = uploadPartOf(name)
    if (part && !part.isRecord) ids.push(part.id)
    if (ids.length >= maxUnfinished) break
  }
  return ids
}

/** Lets one request at a time change an upload. @throws `upload_locked` */
async function alone<Result>({ busy }: UploadsShare, id: string, work: () => Promise<Result>): Promise<Result> {
  if (busy.has(id)) throw userUploadLockedError.create({ id })
  busy.add(id)
  try {
    return await work()
  } finally {
    busy.delete(id)
  }
}
