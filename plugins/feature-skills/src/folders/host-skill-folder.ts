import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, mkdir, open, opendir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { userFileConflictError } from '@agent-service/sdk/services/user-files'
import { skillFileChangedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { isAbsent } from './is-absent.js'
import type { FolderEntry, SkillFolder } from './skill-folder.js'

/** Names below which files are written before they have their own. */
const incoming = '.incoming'

/** A folder of skills of the deployment. It need not exist; the first write makes it. */
export function createHostSkillFolder(root: string): SkillFolder {
  const at = (path: string): string => (path === '' ? root : join(root, path))
  return {
    async list(path, max) {
      if (!(await isFolder(root, path))) return []
      const names: string[] = []
      // One more than the most that is listed may be hidden: the rooms of the store itself.
      for await (const { name } of await opendir(at(path))) {
        names.push(name)
        if (names.length > max + 10) break
      }
      const entries = await Promise.all(names.sort().map((name) => entryAt(join(at(path), name), name)))
      return entries.filter((entry) => entry !== undefined).slice(0, max)
    },
    stat: async (path) => ((await isFolder(root, parentOf(path))) ? entryAt(at(path), nameOf(path)) : undefined),
    async read(path) {
      if (!(await isFolder(root, parentOf(path)))) return undefined
      try {
        const file = await open(at(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
        try {
          const stats = await file.stat()
          return stats.isFile() && stats.size <= limits.maxFileBytes ? await file.readFile() : undefined
        } finally {
          await file.close()
        }
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    async write(path, bytes, { ifMatch, signal }) {
      signal?.throwIfAborted()
      await makeFolder(root, parentOf(path))
      if (ifMatch !== undefined && (await entryAt(at(path), nameOf(path)))?.etag !== ifMatch) throw skillFileChangedError.create({ path })
      await makeFolder(root, incoming)
      const temporary = join(root, incoming, randomUUID())
      try {
        const file = await open(temporary, 'wx', 0o644)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, at(path))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(dirname(at(path)))
    },
    async move(from, to) {
      await makeFolder(root, parentOf(to))
      if ((await entryAt(at(to), nameOf(to))) !== undefined) throw userFileConflictError.create({ path: to, reason: 'already exists' })
      await rename(at(from), at(to))
      await syncFolder(dirname(at(from)))
      await syncFolder(dirname(at(to)))
    },
    async remove(path) {
      if (await isFolder(root, parentOf(path))) await rm(at(path), { recursive: true, force: true })
    },
    hostPath: (path) => realpath(at(path)),
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether a path and everything above it, below the root, are folders and no links. */
async function isFolder(root: string, path: string): Promise<boolean> {
  let folder = root
  try {
    // The operator may have put the root itself behind a link.
    if (!(await lstat(await realpath(root))).isDirectory()) return false
    for (const name of path === '' ? [] : path.split('/')) {
      folder = join(folder, name)
      if (!(await lstat(folder)).isDirectory()) return false
    }
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

async function makeFolder(root: string, path: string): Promise<void> {
  await mkdir(root, { recursive: true })
  let folder = root
  for (const name of path === '' ? [] : path.split('/')) {
    folder = join(folder, name)
    await mkdir(folder).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
    if (!(await lstat(folder)).isDirectory()) throw userFileConflictError.create({ path, reason: 'is not a folder' })
  }
}

async function entryAt(file: string, name: string): Promise<FolderEntry | undefined> {
  try {
    return entryOf(name, await lstat(file))
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function entryOf(name: string, stats: Stats): FolderEntry {
  const { size, mtimeMs, ctimeMs, ino } = stats
  const modifiedAt = Math.trunc(mtimeMs)
  if (!stats.isFile()) return { name, kind: stats.isDirectory() ? 'folder' : 'other', size: 0, modifiedAt, etag: '' }
  return { name, kind: 'file', size, modifiedAt, etag: `"${ino.toString(36)}-${size.toString(36)}-${mtimeMs}-${ctimeMs}"` }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
