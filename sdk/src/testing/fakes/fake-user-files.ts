import { createHash } from 'node:crypto'
import {
  type UserFileContent,
  type UserFileEntry,
  type UserFileRange,
  type UserFiles,
  type UserFolder,
  userFileChangedError,
  userFileConflictError,
  userFileNotFoundError,
  userFileTooLargeError,
  userPathInvalidError,
} from '../../services/user-files.js'
import { createFakeUploads, type FakeUpload } from './fake-user-uploads.js'

/** Files of users that a test reads and writes. Keys are `{handle}/{subsystem}/{path}`. */
export interface FakeUserFiles extends UserFiles {
  /** Every file, by its whole path. A test replaces the bytes of a file; it does not change them. */
  readonly files: Map<string, Uint8Array>
}

/** Keeps the files of users in memory. Folders follow from the paths; there are no links. */
export function createFakeUserFiles(): FakeUserFiles {
  const files = new Map<string, Uint8Array>()
  const uploads = new Map<string, FakeUpload>()
  return {
    files,
    uploads: ({ handle }, { subsystem, path = '' }) => {
      const root = [handle, subsystem, ...segmentsOf(path)].join('/')
      return createFakeUploads(uploads, root, createFolder(files, root))
    },
    folder: ({ handle }, { subsystem, path = '' }) => createFolder(files, [handle, subsystem, ...segmentsOf(path)].join('/')),
    // There is no such folder on this machine.
    hostFolder: async ({ handle }, { subsystem, path = '' }) => `/fake-users/${[handle, subsystem, ...segmentsOf(path)].join('/')}`,
    async stored({ handle }) {
      const own = [...files].filter(([path]) => path.startsWith(`${handle}/`))
      return { usedBytes: own.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0) }
    },
    // Nothing is interrupted, so there are no leftovers.
    freeLeftovers: async ({ signal }) => signal.throwIfAborted(),
  }
}

function createFolder(files: Map<string, Uint8Array>, root: string): UserFolder {
  const placeOf = (path: string): string => [root, ...segmentsOf(path)].join('/')
  const below = (path: string): readonly string[] => [...files.keys()].filter((file) => file.startsWith(`${placeOf(path)}/`))
  const entryOf = (path: string): UserFileEntry | undefined => {
    const bytes = files.get(placeOf(path))
    const named = { name: segmentsOf(path).at(-1) ?? '', path, modifiedAt: 0 }
    if (bytes) return { ...named, kind: 'file', size: bytes.length, etag: etagOf(bytes) }
    return path === '' || below(path).length > 0 ? { ...named, kind: 'folder', size: 0 } : undefined
  }
  const read = async (path: string, { offset = 0, length }: UserFileRange = {}): Promise<UserFileContent | undefined> => {
    const bytes = files.get(placeOf(path))
    const entry = entryOf(path)
    return bytes && entry && { ...entry, bytes: bytes.slice(offset, length === undefined ? undefined : offset + length) }
  }
  const demandUnchanged = (path: string, conditions: { readonly ifMatch?: string; readonly ifNoneMatch?: string }): void => {
    const etag = entryOf(path)?.etag
    const fits = (list: string): boolean => etag !== undefined && (list === '*' || list.split(',').some((each) => each.trim() === etag))
    const { ifMatch, ifNoneMatch } = conditions
    const holds = (ifMatch === undefined || fits(ifMatch)) && (ifNoneMatch === undefined || !fits(ifNoneMatch))
    if (!holds) throw userFileChangedError.create({ path })
  }
  return {
    realPath: async (path) => segmentsOf(path).join('/'),
    stat: async (path) => entryOf(path),
    async list(path, { limit = 1_000, after } = {}) {
      if (entryOf(path)?.kind !== 'folder') return undefined
      const start = placeOf(path).length + 1
      const names = [...new Set(below(path).map((file) => file.slice(start).split('/')[0] ?? ''))].sort()
      const rest = names.filter((name) => after === undefined || name > after)
      const items = rest.slice(0, limit).flatMap((name) => entryOf(path === '' ? name : `${path}/${name}`) ?? [])
      const last = items.at(-1)
      return { items, unnameable: 0, ...(rest.length > limit && last && { next: last.name }) }
    },
    read,
    async open(path) {
      const content = await read(path)
      if (!content) return undefined
      const { bytes, ...entry } = content
      return {
        ...entry,
        stream: ({ offset = 0, length } = {}) => once(bytes.slice(offset, length === undefined ? undefined : offset + length)),
        peek: async (length) => bytes.slice(0, length),
        close: async () => undefined,
      }
    },
    async write(path, content, options = {}) {
      demandUnchanged(path, options)
      if (entryOf(path)?.kind === 'folder') throw userFileConflictError.create({ path, reason: 'is a folder' })
      const bytes = await bytesOf(content)
      options.signal?.throwIfAborted()
      const limit = options.maximumBytes ?? Number.POSITIVE_INFINITY
      if (bytes.length > limit) throw userFileTooLargeError.create({ path, limit })
      const created = !files.has(placeOf(path))
      files.set(placeOf(path), bytes)
      return { file: demand(entryOf(path), path), created }
    },
    async remove(path, { recursive = false, ...conditions } = {}) {
      demandUnchanged(path, conditions)
      const inside = below(path)
      if (inside.length > 0 && !recursive) throw userFileConflictError.create({ path, reason: 'is a folder that is not empty' })
      for (const file of inside) files.delete(file)
      return files.delete(placeOf(path)) || inside.length > 0
    },
    async move(from, to, { replace = false } = {}) {
      const target = entryOf(to)
      if (target && !(replace && target.kind === 'file')) throw userFileConflictError.create({ path: to, reason: 'already exists' })
      const moved = [...below(from), ...(files.has(placeOf(from)) ? [placeOf(from)] : [])]
      if (moved.length === 0) throw userFileNotFoundError.create({ path: from })
      for (const file of moved) {
        const bytes = files.get(file)
        files.delete(file)
        if (bytes) files.set(placeOf(to) + file.slice(placeOf(from).length), bytes)
      }
      return demand(entryOf(to), to)
    },
    async makeFolder(path) {
      if (entryOf(path)?.kind === 'file') throw userFileConflictError.create({ path, reason: 'is a file' })
    },
  }
}

/** Checks a path as the service does: plain names with `/` between them. */
function segmentsOf(path: string): readonly string[] {
  if (path === '') return []
  const segments = path.split('/')
  if (path.length <= 2_000 && segments.every((name) => name !== '' && name !== '.' && name !== '..')) return segments
  throw userPathInvalidError.create({ path, problem: 'must be relative, of plain names with / between them' })
}

/** The etags of contents, which are replaced and never changed: a large file is hashed once, and not at each look at it. */
const etags = new WeakMap<Uint8Array, string>()

function etagOf(bytes: Uint8Array): string {
  const etag = etags.get(bytes) ?? `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`
  etags.set(bytes, etag)
  return etag
}

async function bytesOf(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return Uint8Array.from(content)
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Uint8Array.from(Buffer.concat(pieces))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

function demand(entry: UserFileEntry | undefined, path: string): UserFileEntry {
  if (entry) return entry
  throw userFileNotFoundError.create({ path })
}
