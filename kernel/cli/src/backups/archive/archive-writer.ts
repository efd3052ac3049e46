import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { lineOf, names } from './layout.js'
import { type DataSegment, dataBytes, encodeMap, findData, isZeros, readParts, storedBytes } from './sparse-map.js'
import { type ArchiveEnd, endMark, headerBlocks, paddingOf } from './tar-blocks.js'

/** Contents up to this size are read at once. */
const smallBytes = 262_144
/** The unit in which the system counts what a file occupies. */
const diskBlockBytes = 512
/** How often a file that changes while it is read is read again. */
const attempts = 3

/** Why a file cannot be read that becomes shorter each time. */
export const changesTooFast = 'it changes faster than it can be read'

/** A file that was added as it was then, or left out. */
export interface AddedFile {
  /** Identifies this state of the file: its name, place on the disk, size and times. */
  readonly state: string
  /** It changed whenever it was read. */
  readonly changing: boolean
  /** It was left out: it has more holes than may be read, or takes far more room in the backup than on the disk. */
  readonly tooSparse?: boolean
}

/** What a file takes in a backup, and on the disk. */
export interface StoredFile {
  /** Of its content on the disk, the same for all its names. */
  readonly place: string
  readonly bytes: number
  readonly occupied: number
}

/** Bounds what files that take little room on the disk cost: terabytes of holes, or many names of one file. */
export interface FileBudget {
  /** How many bytes of holes of a file may be read. */
  readonly holesLeft: () => number
  spendHoles(bytes: number): void
  /** Whether a file may be stored. */
  takes(file: StoredFile): boolean
  /** It was. */
  spend(file: StoredFile): void
}

/** Writes a backup's file. Everything that is written goes through the digests. */
export interface ArchiveWriter {
  /** Bytes so far. */
  readonly bytes: () => number
  addBytes(path: string, content: Buffer): Promise<void>
  addFolder(path: string, data: { readonly mode: number; readonly changedAt: number }): Promise<void>
  /**
   * Adds a file of the disk; `skip` decides by its state whether it is needed. Holes stay holes, and the file
   * is left out where they or its other names take too much, if there is a budget for that. Undefined if it was skipped, has vanished, or is no longer a file.
   */
  addFile(path: string, source: string, skip: (state: string) => boolean, budget?: FileBudget): Promise<AddedFile | undefined>
  /** Writes manifest, summary, and the end mark with its proof, and makes the file durable. */
  finish(last: {
    readonly summary: (manifestSha256: string) => string
    readonly proof: (end: Omit<ArchiveEnd, 'proof'>) => string
  }): Promise<void>
  /** Closes the file. May be called again. */
  close(): Promise<void>
}

/** How many bytes are written between two looks at the room on the disk, at most. */
const roomUnit = 67_108_864

/** `scratch` is a path for a temporary file beside it; `checkRoom` gives the room there is, and throws if that is less. */
export async function createArchiveWriter(
  file: string,
  options: { readonly scratch: string; readonly signal: AbortSignal; readonly checkRoom: (bytes: number) => Promise<number> },
): Promise<ArchiveWriter> {
  const { signal, scratch, checkRoom } = options
  const output = await open(file, 'wx', 0o600)
  const lines = await open(scratch, 'wx+', 0o600).catch(async (error: unknown) => {
    await output.close()
    throw error
  })
  let position = 0
  /** Up to where there was room when it was looked at. */
  let roomUntil = 0
  let whole: Hash = createHash('sha256')
  let isOpen = true

  const append = async (piece: Buffer): Promise<void> => {
    signal.throwIfAborted()
    if (position + piece.length > roomUntil) {
      const room = await checkRoom(piece.length)
      roomUntil = position + Math.max(piece.length, Math.min(roomUnit, room))
    }
    whole.update(piece)
    await writeAt(output, piece, position)
    position += piece.length
  }
  const note = (path: string, bytes: number, sha256: string): Promise<void> => lines.appendFile(lineOf({ path, bytes, sha256 }))

  const addBytes = async (path: string, content: Buffer, data = { mode: 0o600, changedAt: 0 }): Promise<void> => {
    const header = headerBlocks({ path, kind: 'file', bytes: content.length, ...data })
    await append(Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]))
  }

  /** Copies a file that does not fit into memory. False if it changed; nothing was added then, nor if it throws. */
  const stream = async (path: string, source: FileHandle, before: FileState, segments?: readonly DataSegment[]): Promise<boolean> => {
    const mark = { position, whole: whole.copy() }
    let isAdded = false
    try {
      isAdded = await copy(path, source, before, segments)
      return isAdded
    } finally {
      if (!isAdded) {
        await output.truncate(mark.position)
        position = mark.position
        whole = mark.whole
      }
    }
  }

  /** False if it changed; what was written then has to go. */
  const copy = async (path: string, source: FileHandle, before: FileState, segments?: readonly DataSegment[]): Promise<boolean> => {
    const map = segments && encodeMap(segments, before.bytes)
    const parts = segments ?? [{ offset: 0, bytes: before.bytes }]
    const size = map && segments ? storedBytes(map, segments) : before.bytes
    const digest = createHash('sha256')
    let bytes = 0
    const add = async (piece: Buffer): Promise<void> => {
      digest.update(piece)
      bytes += piece.length
      await append(piece)
    }
    await append(headerBlocks({ path, kind: 'file', ...before, bytes: size, ...(map && { sparseSize: before.bytes }) }))
    if (map) await add(map)
    for await (const piece of readParts(source, parts, Buffer.alloc(smallBytes))) await add(piece)
    if (bytes !== size || ((await stateOf(source)).id !== before.id && !before.isLast)) return false
    await append(Buffer.alloc(paddingOf(bytes)))
    await note(path, bytes, digest.digest('hex'))
    return true
  }

  /** Copies a file that fits into memory. */
  const addSmall = async (path: string, source: FileHandle, before: FileState, budget?: FileBudget): Promise<Copied> => {
    const content = Buffer.alloc(before.bytes)
    let filled = 0
    while (filled < content.length) {
      const { bytesRead } = await source.read(content, filled, content.length - filled, filled)
      if (bytesRead === 0) return false
      filled += bytesRead
    }
    if ((await stateOf(source)).id !== before.id && !before.isLast) return false
    const stored = { place: before.place, bytes: content.length, occupied: before.occupied || (isZeros(content) ? 0 : content.length) }
    if (budget?.takes(stored) === false) return 'too_sparse'
    await addBytes(path, content, before)
    await note(path, content.length, createHash('sha256').update(content).digest('hex'))
    budget?.spend(stored)
    return true
  }

  const copyInto = async (path: string, source: FileHandle, before: FileState, budget?: FileBudget): Promise<Copied> => {
    if (before.bytes <= smallBytes) return addSmall(path, source, before, budget)
    if (budget === undefined) return stream(path, source, before)
    const segments = before.hasHoles ? await findWithin(source, before, budget) : undefined
    if (segments === 'too_sparse') return segments
    const bytes = segments ? storedBytes(encodeMap(segments, before.bytes), segments) : before.bytes
    // Some file systems count no blocks; there a file occupies its data.
    const stored = { place: before.place, bytes, occupied: before.occupied || dataBytes(segments ?? [{ offset: 0, bytes }]) }
    if (!budget.takes(stored)) return 'too_sparse'
    const isAdded = await stream(path, source, before, segments)
    if (isAdded) budget.spend(stored)
    return isAdded
  }

  /** The data of a file that occupies less than its length; undefined if it has no holes all the same. */
  const findWithin = async (
    source: FileHandle,
    { bytes }: FileState,
    budget: FileBudget,
  ): Promise<readonly DataSegment[] | 'too_sparse' | undefined> => {
    const maxZeros = budget.holesLeft()
    const data = await findData(source, bytes, { maxZeros, signal })
    budget.spendHoles(data?.zeros ?? maxZeros)
    if (data === undefined) return 'too_sparse'
    return data.zeros > 0 ? data.segments : undefined
  }

  return {
    bytes: () => position,
    async addBytes(path, content) {
      await addBytes(path, content)
      await note(path, content.length, createHash('sha256').update(content).digest('hex'))
    },
    async addFolder(path, data) {
      await append(headerBlocks({ path, kind: 'folder', bytes: 0, ...data }))
      await note(`${path}/`, 0, '')
    },
    async addFile(path, source, skip, budget) {
      for (let attempt = 1; ; attempt++) {
        const handle = await openFile(source)
        if (handle === undefined) return undefined
        try {
          const state = { ...(await stateOf(handle)), isLast: attempt >= attempts }
          if (!state.isFile) return undefined
          const id = `${source}\0${state.id}`
          if (skip(id)) return undefined
          const copied = await copyInto(path, handle, state, budget)
          if (copied === 'too_sparse') return { state: id, changing: false, tooSparse: true }
          if (copied) return { state: id, changing: state.isLast }
          // It shrank each time: what is there is shorter than it was just said to be.
          if (attempt > 10 * attempts) throw new Error(changesTooFast)
        } finally {
          await handle.close()
        }
      }
    },
    async finish({ summary, proof }) {
      const { size } = await lines.stat()
      const digest = createHash('sha256')
      await append(headerBlocks({ path: names.manifest, kind: 'file', bytes: size, mode: 0o600, changedAt: 0 }))
      for (let at = 0; at < size; ) {
        const { buffer, bytesRead } = await lines.read(Buffer.alloc(Math.min(smallBytes, size - at)), 0, undefined, at)
        if (bytesRead === 0) throw new Error('The list of a backup was cut while it was read.')
        const piece = buffer.subarray(0, bytesRead)
        digest.update(piece)
        await append(piece)
        at += bytesRead
      }
      await append(Buffer.alloc(paddingOf(size)))
      const summaryAt = position
      await addBytes(names.summary, Buffer.from(summary(digest.digest('hex'))))
      const end = { sha256: whole.copy().digest('hex'), summaryAt }
      await append(endMark({ ...end, proof: proof(end) }))
      await output.sync()
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await output.close()
      await lines.close()
      await rm(scratch, { force: true })
    },
  }
}

/** False if it changed while it was read. */
type Copied = boolean | 'too_sparse'

interface FileState {
  readonly id: string
  readonly isFile: boolean
  readonly bytes: number
  /** Identifies its content on the disk, whatever its names are. */
  readonly place: string
  /** On the disk, in bytes. */
  readonly occupied: number
  /** It occupies less than its length. */
  readonly hasHoles: boolean
  readonly mode: number
  readonly changedAt: number
  /** It is taken as it is even if it changes meanwhile. */
  readonly isLast: boolean
}

async function stateOf(handle: FileHandle): Promise<Omit<FileState, 'isLast'>> {
  const found = await handle.stat({ bigint: true })
  const { dev, ino, size, mtimeNs, ctimeNs, mode, mtimeMs, blocks } = found
  const occupied = Number(blocks) * diskBlockBytes
  return {
    id: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
    isFile: found.isFile(),
    bytes: Number(size),
    place: `${dev} ${ino}`,
    occupied,
    hasHoles: occupied < Number(size),
    mode: Number(mode),
    changedAt: Number(mtimeMs),
  }
}

/** Opens without following a link and without waiting for a pipe; undefined if nothing is there. */
async function openFile(source: string): Promise<FileHandle | undefined> {
  try {
    return await open(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return undefined
    throw error
  }
}

async function writeAt(handle: FileHandle, piece: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < piece.length) written += (await handle.write(piece, written, piece.length - written, position + written)).bytesWritten
}
