import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { defineError, type JsonObject } from '@agent-service/sdk'

/** What the service takes at most; it checks again. */
const limits = {
  archiveBytes: 8 * 1_048_576,
  files: 500,
  entries: 2_000,
  depth: 8,
  collection: 200,
  collectionDepth: 3,
  collectionEntries: 20_000,
} as const

export const unreadableError = defineError<{ readonly path: string; readonly problem: string }>({
  code: 'skill_unreadable',
  status: 400,
  title: 'Skill not readable',
  message: ({ path, problem }) => `“${path}” cannot be installed: ${problem}.`,
})

/** A file of a folder of the operator's disk. */
export interface DiskFile {
  /** Below the folder, with `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** The body of an installation from an archive, or from a folder. @throws `skill_unreadable`. */
export async function bodyFromDisk(path: string): Promise<JsonObject> {
  const absolute = resolve(path)
  const stats = await lstat(absolute).catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${error.code})`
    throw unreadableError.create({ path, problem }, { cause: error })
  })
  const from = basename(absolute)
  if (stats.isDirectory())
    return {
      from,
      files: (await filesOf(absolute)).map((file) => ({ path: file.path, content: Buffer.from(file.bytes).toString('base64') })),
    }
  if (!stats.isFile()) throw unreadableError.create({ path, problem: 'it is neither an archive nor a folder' })
  if (stats.size > limits.archiveBytes) throw unreadableError.create({ path, problem: `it has more than ${limits.archiveBytes} bytes` })
  return { from, archive: (await readFile(absolute)).toString('base64') }
}

/**
 * The folders of skills that a path of the disk names: itself, also as an archive; or, of a collection,
 * each folder below that has a SKILL.md and none above it. At most {@link limits.collection}; links are
 * not followed. @throws `skill_unreadable` if there are more.
 */
export async function skillPaths(path: string): Promise<readonly string[]> {
  const found: string[] = []
  const open = [{ at: path, depth: 0 }]
  let looked = 0
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { at, depth } = next
    const entries = await entriesOf(at)
    looked += entries.length
    if (looked > limits.collectionEntries)
      throw unreadableError.create({
        path,
        problem: `it has more than ${limits.collectionEntries} files and folders; name a folder with fewer`,
      })
    if (entries.some((entry) => entry.isFile() && entry.name.toLowerCase() === 'skill.md')) found.push(at)
    else if (depth < limits.collectionDepth) {
      const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      open.push(...folders.map(({ name }) => ({ at: join(at, name), depth: depth + 1 })))
    }
  }
  if (found.length > limits.collection)
    throw unreadableError.create({ path, problem: `it has more than ${limits.collection} skills; name a folder with fewer` })
  return found.length === 0 ? [path] : found.sort()
}

/** None for an archive, and for what is not there. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR' || code === 'ENOENT') return []
    throw unreadableError.create({ path: folder, problem: `it cannot be read (${code})` }, { cause: error })
  }
}

/** All files of a folder. @throws `skill_unreadable` for links and devices, and beyond the limits. */
export async function filesOf(root: string): Promise<readonly DiskFile[]> {
  const files: DiskFile[] = []
  const open = ['']
  let looked = 0
  let bytes = 0
  for (let below = open.shift(); below !== undefined; below = open.shift()) {
    for (const entry of (await readdir(join(root, below), { withFileTypes: true })).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      looked += 1
      if (entry.name === '.git' || entry.name === '.DS_Store') continue
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) {
        bytes += (await lstat(join(root, path))).size
        if (bytes > limits.archiveBytes)
          throw unreadableError.create({ path: root, problem: `its files have more than ${limits.archiveBytes} bytes` })
        files.push({ path, bytes: await readFile(join(root, path)) })
      } else throw unreadableError.create({ path: root, problem: `“${path}” is a link or a device` })
      if (looked > limits.entries || files.length > limits.files || path.split('/').length > limits.depth)
        throw unreadableError.create({ path: root, problem: `it has more than ${limits.files} files, or more than ${limits.depth} levels` })
    }
  }
  return files
}
