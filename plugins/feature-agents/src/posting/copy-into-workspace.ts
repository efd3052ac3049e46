import { createHash } from 'node:crypto'
import { ServiceError } from '@agent-service/sdk'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import {
  type UserFolder,
  userFileChangedError,
  userFileConflictError,
  userFileNotFoundError,
  userStorageFullError,
} from '@agent-service/sdk/services/user-files'
import { attachmentsFolder, withMark, workspaceName } from './workspace-name.js'

/** A file that a person attached, as it was when it was looked at. */
export interface CopySource {
  readonly folder: UserFolder
  readonly path: string
  readonly name: string
  readonly size: number
  readonly etag: string | undefined
}

/** A workspace that files are put into. */
export interface CopyTarget {
  /** The workspace. It follows no links. */
  readonly folder: UserFolder
  /** Whether the person may write at this path below it. */
  mayWrite(path: string): Promise<boolean>
}

export const changedMeanwhile = 'changed while it was being read. Send the message again'
export const notWritable = 'lies where the policies of this service do not allow you to write in the workspace of this agent'

/** How much of the digest of a content makes its name unique, from one attempt to the next. */
const markLengths = [8, 16, 64]

/**
 * Puts a file into a workspace, below `attachments`, and returns its path there. A content that is
 * there already, by its name or by the name that it got when that was taken, is not written again:
 * a repetition changes nothing, also after a crash. Bytes are passed on as they are read.
 * `problem`: why it cannot lie there, in words that follow the path. @throws the signal's reason.
 */
export async function copyIntoWorkspace(
  source: CopySource,
  target: CopyTarget,
  signal: AbortSignal | undefined,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  try {
    const name = workspaceName(source.name)
    const digest = once(() => digestOf(source.folder, source.path, { etag: source.etag, signal }))
    for (const length of [0, ...markLengths]) {
      const path = `${attachmentsFolder}/${length === 0 ? name : withMark(name, ((await digest()) ?? '').slice(0, length))}`
      if (!(await target.mayWrite(path))) return { problem: notWritable }
      const state = await place(source, target.folder, path, { digest, signal })
      if (state === 'changed') return { problem: changedMeanwhile }
      if (state === 'there') return { path }
    }
    return { problem: 'has no free name in the workspace of this agent. Give it another name' }
  } catch (error) {
    signal?.throwIfAborted()
    return { problem: problemOf(error) }
  }
}

/** `taken`: another content has the path. */
async function place(
  source: CopySource,
  folder: UserFolder,
  path: string,
  { digest, signal }: { readonly digest: () => Promise<string | undefined>; readonly signal: AbortSignal | undefined },
): Promise<'there' | 'taken' | 'changed'> {
  if (!(await folder.stat(path))) {
    try {
      return await write(source, folder, path, signal)
    } catch (error) {
      // Another message has put a file there meanwhile.
      if (!userFileChangedError.isInstance(error)) throw error
    }
  }
  const there = await folder.stat(path)
  if (there?.kind !== 'file' || there.size !== source.size) return 'taken'
  const wanted = await digest()
  if (wanted === undefined) return 'changed'
  return (await digestOf(folder, path, { etag: there.etag, signal })) === wanted ? 'there' : 'taken'
}

async function write(source: CopySource, folder: UserFolder, path: string, signal: AbortSignal | undefined): Promise<'there' | 'changed'> {
  const file = await source.folder.open(source.path)
  if (!file || file.etag !== source.etag) {
    await file?.close()
    return 'changed'
  }
  const bytes = file.stream()
  try {
    await folder.write(path, bytes, { ifNoneMatch: '*', expectedBytes: file.size, ...(signal && { signal }) })
    return 'there'
  } finally {
    await bytes.return?.()
  }
}

/** The SHA-256 of a file, if it is still the one with this etag. */
async function digestOf(
  folder: UserFolder,
  path: string,
  { etag, signal }: { readonly etag: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const file = await folder.open(path)
  if (!file || file.etag !== etag) {
    await file?.close()
    return undefined
  }
  const hash = createHash('sha256')
  for await (const bytes of file.stream()) {
    signal?.throwIfAborted()
    hash.update(bytes)
  }
  return hash.digest('hex')
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** @throws what is no matter of this file. */
function problemOf(error: unknown): string {
  if (quotaExceededError.isInstance(error) || userStorageFullError.isInstance(error))
    return `has no room in the workspace of this agent: ${error.message}`
  if (userFileConflictError.isInstance(error) || userFileNotFoundError.isInstance(error))
    return `cannot be put into the folder “${attachmentsFolder}” of the workspace of this agent: ${error.message}`
  if (ServiceError.isInstance(error) && error.status < 500) return `cannot be put into the workspace of this agent: ${error.message}`
  throw error
}
