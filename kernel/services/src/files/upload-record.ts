import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename } from 'node:fs/promises'
import type { UserFileConditions, UserUpload } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, orAbsent } from './disk/index.js'
import { createIncomingFile } from './incoming-folder.js'

/**
 * An upload is two files in the incoming folder: its bytes, as long as the whole file from the
 * beginning on, so that they count in full against the limit, and its record. The bytes leave by
 * the rename that puts the file at its path: a record without bytes is that of a finished upload.
 */
export interface UploadRecord {
  /** The names of the tree's root, so that no other folder takes it for its own. */
  readonly root: string
  readonly path: string
  readonly size: number
  readonly note: string
  readonly conditions: UserFileConditions
}

/** A record that was read. */
export interface StoredUpload extends UploadRecord {
  readonly id: string
  /** The bytes that count: all before it were durable when it was written. */
  readonly offset: number
  readonly isFinished: boolean
  /** When its record was last written, in milliseconds since 1970. */
  readonly changedAt: number
}

/** An upload that nothing is added to for this long is removed, in milliseconds. */
export const uploadLifeMs = 24 * 3_600_000
/** Bytes without a record are those of a begin that a crash cut off, once they are this old, in milliseconds. */
export const cutOffMs = 600_000

const prefix = 'upload-'
const recordEnd = '.record'
const offsetLength = 16
const maxRecordBytes = 64 * 1024

export const newUploadId = (): string => randomBytes(16).toString('hex')
export const isUploadId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
/** The name of an upload's bytes in the incoming folder. */
export const bytesNameOf = (id: string): string => `${prefix}${id}`
export const recordNameOf = (id: string): string => `${prefix}${id}${recordEnd}`

/** What a name in the incoming folder is of an upload; `undefined` for any other. */
export function uploadPartOf(name: string): { readonly id: string; readonly isRecord: boolean } | undefined {
  const isRecord = name.endsWith(recordEnd)
  const id = name.slice(prefix.length, isRecord ? -recordEnd.length : undefined)
  return name.startsWith(prefix) && isUploadId(id) ? { id, isRecord } : undefined
}

/** Creates the record, whole or not at all; durable together with the folder. */
export async function writeRecord(incoming: CheckedFolder, id: string, record: UploadRecord): Promise<void> {
  const file = await createIncomingFile(incoming)
  try {
    await file.handle.writeFile(`${offsetText(0)}\n${JSON.stringify(record)}`)
    await file.handle.sync()
    await rename(file.path, incoming.at(recordNameOf(id)))
  } finally {
    await file.discard()
  }
}

/** Opens a record to write its offsets. */
export const openRecord = (incoming: CheckedFolder, id: string): Promise<FileHandle | undefined> =>
  orAbsent(open(incoming.at(recordNameOf(id)), constants.O_WRONLY | constants.O_NOFOLLOW))

/** Writes the offset, durably. The bytes before it must be durable already. */
export async function writeOffset(record: FileHandle, offset: number): Promise<void> {
  await record.write(offsetText(offset), 0, 'latin1')
  await record.sync()
}

/** Reads an upload; `undefined` if it does not exist or cannot be read. */
export async function readUpload(incoming: CheckedFolder, id: string): Promise<StoredUpload | undefined> {
  if (!isUploadId(id)) return undefined
  const handle = await orAbsent(open(incoming.at(recordNameOf(id)), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  if (!handle) return undefined
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.size > maxRecordBytes) return undefined
    const text = await handle.readFile('utf8')
    const record = JSON.parse(text.slice(offsetLength + 1)) as UploadRecord
    const isFinished = (await orAbsent(lstat(incoming.at(bytesNameOf(id))))) === undefined
    // An upload that is ended loses its record first.
    if (isFinished && (await orAbsent(lstat(incoming.at(recordNameOf(id))))) === undefined) return undefined
    const offset = isFinished ? record.size : Number(text.slice(0, offsetLength))
    return { ...record, id, offset, isFinished, changedAt: found.mtimeMs }
  } catch (error) {
    // A crash in the moment of its creation left a part of it.
    if (error instanceof SyntaxError) return undefined
    throw error
  } finally {
    await handle.close()
  }
}

export const toUserUpload = ({ id, path, size, offset, note, changedAt }: StoredUpload): UserUpload => ({
  ...{ id, path, size, offset, note },
  expiresAt: Math.floor(changedAt) + uploadLifeMs,
})

const offsetText = (offset: number): string => String(offset).padStart(offsetLength, '0')
