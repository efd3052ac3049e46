import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import { type UserFiles, type UserFolder, userFileChangedError } from '@agent-service/sdk/services/user-files'
import { readMarkdown, writeMarkdown } from './markdown.js'

/** The memories of a user, by their ids. */
export type Entries = ReadonlyMap<string, MemoryRecord>

/** The file of each user, read and written as a whole. */
export interface MemoryFiles {
  /** Nothing for a user without a file. */
  read(userId: string, signal: AbortSignal): Promise<Entries>
  /**
   * Changes the file and writes it, unless `change` returns nothing. It is read and changed again if it
   * is another one meanwhile: people edit it too.
   */
  change<Result>(
    userId: string,
    signal: AbortSignal,
    change: (entries: Entries) => { readonly result: Result; readonly entries?: Entries },
  ): Promise<Result>
  /** Removes the file. */
  erase(userId: string, signal: AbortSignal): Promise<void>
}

const path = 'memories.md'
const maxTries = 20
const maxBytes = 8 * 1_024 * 1_024

/** Opens the files; a user without an account has none, and gets none. */
export function createMemoryFiles(files: Pick<UserFiles, 'folder'>, accounts: Pick<Accounts, 'get'>): MemoryFiles {
  const lines = new Map<string, Promise<unknown>>()

  const folderOf = async (userId: string): Promise<UserFolder | undefined> => {
    const account = await accounts.get(userId)
    return account && files.folder({ handle: account.handle }, { subsystem: 'files', path: 'Memory' })
  }
  const readFile = async (folder: UserFolder | undefined) => {
    const file = await folder?.read(path)
    return { entries: readMarkdown(file ? new TextDecoder().decode(file.bytes) : ''), etag: file?.etag }
  }
  const rewrite: MemoryFiles['change'] = async (userId, signal, change) => {
    const folder = await folderOf(userId)
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted()
      const { entries: before, etag } = await readFile(folder)
      const { result, entries } = change(before)
      if (entries === undefined) return result
      if (folder === undefined) throw new Error('A user without an account has no memories.')
      const condition = etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }
      try {
        const content = new TextEncoder().encode(writeMarkdown(entries.values()))
        await folder.write(path, content, { ...condition, maximumBytes: maxBytes, signal })
        return result
      } catch (error) {
        if (!userFileChangedError.isInstance(error) || tries >= maxTries) throw error
      }
    }
  }

  return {
    async read(userId, signal) {
      signal.throwIfAborted()
      return (await readFile(await folderOf(userId))).entries
    },
    async change(userId, signal, change) {
      signal.throwIfAborted()
      // One change of a user at a time: each one rewrites the file.
      const before = lines.get(userId) ?? Promise.resolve()
      const work = before.catch(() => undefined).then(() => rewrite(userId, signal, change))
      lines.set(userId, work)
      try {
        return await work
      } finally {
        if (lines.get(userId) === work) lines.delete(userId)
      }
    },
    async erase(userId, signal) {
      signal.throwIfAborted()
      await (await folderOf(userId))?.remove(path)
    },
  }
}
