import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Header } from 'tar'
import { backupInvalidError, backupNewerError } from '../errors.js'
import {
  type BackupHeader,
  backupFormat,
  lineOf,
  names,
  parseHeader,
  parseSummary,
  problemOfPath,
  roots,
  type StoredSummary,
} from './layout.js'
import { type Origin, originOf } from './proof.js'
import { readSparse, SparseMapError } from './sparse-map.js'
import {
  type ArchiveEnd,
  blockSize,
  type EntryData,
  endMarkSize,
  type LongRecord,
  paddingOf,
  parseEndMark,
  parseLongRecord,
} from './tar-blocks.js'

const pieceBytes = 262_144
/** The largest header, summary and record of a long name. */
const maxSmallBytes = 4_194_304

/** Takes what is in a backup. Called in the order of the file. */
export interface ArchiveVisitor {
  /** Called first, before anything else is read. It may throw. */
  header?(header: BackupHeader): void
  /** An entry; its content must be read to the end. */
  entry?(entry: EntryData, content: AsyncIterable<Buffer>): Promise<void>
  /** Bytes that were read. */
  progress?(bytes: number): void
}

/** The first and the last of a backup, whose digest fits everything between them. */
export interface SoundArchive {
  readonly header: BackupHeader
  readonly end: ArchiveEnd
  readonly origin: Origin
  readonly bytes: number
}

/** How a backup is read. */
export interface ReadOptions {
  /** The secret under which its proof of origin is to be. */
  readonly encryptionSecret: string
  readonly signal: AbortSignal
}

/** What a whole backup says about itself. */
export interface ReadArchive extends SoundArchive {
  readonly summary: StoredSummary
}

/**
 * Reads a backup and checks every byte of it: the digest of each entry against the manifest,
 * the end mark, which has the digest of everything before it, and its proof of origin. What a visitor was given is only true once
 * this has resolved. Memory does not grow with the backup.
 * @throws `backup_invalid`, `backup_newer`, the visitor's errors, the signal's reason.
 */
export async function readArchive(file: string, options: ReadOptions & { readonly visitor?: ArchiveVisitor }): Promise<ReadArchive> {
  const { signal, encryptionSecret, visitor = {} } = options
  const invalid = (reason: string, cause?: unknown): Error => backupInvalidError.create({ path: file, reason }, { cause })
  const handle = await openBackup(file)
  try {
    const { size } = await handle.stat()
    if (size < endMarkSize || size % blockSize !== 0) throw invalid('it was cut, or is no backup')
    const body = createBody(handle, { end: size - endMarkSize, signal, invalid, progress: visitor.progress })
    const lines = createHash('sha256')
    const end = parseEndMark(await readExactly(handle, size - endMarkSize, endMarkSize))
    if (end === undefined) throw invalid('it was cut, or is no backup')
    const first = await readHeader(file, body, invalid)
    const { header } = first
    visitor.header?.(header)
    lines.update(first.line)
    let summary: StoredSummary | undefined
    let summaryAt = 0
    let manifest: string | undefined
    for (;;) {
      const at = body.position()
      const entry = await readEntry(body, invalid)
      if (entry === undefined) break
      if (summary !== undefined) throw invalid('it has something after its summary')
      if (entry.path === names.header || entry.path === names.end) throw invalid(`it has ${entry.path} where none belongs`)
      if (entry.path === names.manifest) {
        if (manifest !== undefined) throw invalid('it has two manifests')
        const digest = createHash('sha256')
        for await (const piece of body.content(entry.bytes)) digest.update(piece)
        manifest = digest.digest('hex')
      } else if (entry.path === names.summary) {
        const content = (await readSmall(body, entry, invalid)).toString()
        summary = orInvalid(() => parseSummary(content), invalid)
        summaryAt = at
      } else {
        if (manifest !== undefined) throw invalid('it has something after its manifest')
        const digest = createHash('sha256')
        await take(visitor, entry, digested(body.content(entry.bytes), digest)).catch((error: unknown) => {
          throw error instanceof SparseMapError ? invalid(`${entry.path} in it is damaged: ${error.message}`, error) : error
        })
        const isFolder = entry.kind === 'folder'
        lines.update(
          lineOf({ path: isFolder ? `${entry.path}/` : entry.path, bytes: entry.bytes, sha256: isFolder ? '' : digest.digest('hex') }),
        )
      }
    }
    if (summary === undefined || end.sha256 !== body.sha256() || end.summaryAt !== summaryAt)
      throw invalid('it was cut or changed: its digest does not fit')
    if (manifest !== lines.digest('hex') || summary.manifest_sha256 !== manifest) throw invalid('its manifest does not fit its content')
    return { header, summary, end, origin: judged(header, end, encryptionSecret, invalid), bytes: size }
  } finally {
    await handle.close()
  }
}

/**
 * Compares the digest at the end of a backup with every byte before it, judges its proof of origin,
 * and interprets nothing of it but its head and its end.
 * @throws `backup_invalid`, `backup_newer`, the signal's reason.
 */
export async function readEnds(
  file: string,
  options: ReadOptions & { readonly progress?: (bytes: number) => void },
): Promise<SoundArchive> {
  const { signal, encryptionSecret, progress } = options
  const invalid = (reason: string, cause?: unknown): Error => backupInvalidError.create({ path: file, reason }, { cause })
  const handle = await openBackup(file)
  try {
    const { size } = await handle.stat()
    if (size < endMarkSize || size % blockSize !== 0) throw invalid('it was cut, or is no backup')
    const end = parseEndMark(await readExactly(handle, size - endMarkSize, endMarkSize))
    if (end === undefined) throw invalid('it was cut, or is no backup')
    const body = createBody(handle, { end: size - endMarkSize, signal, invalid, progress })
    const { header } = await readHeader(file, body, invalid)
    while (!body.isAtEnd()) await body.next(pieceBytes)
    if (end.sha256 !== body.sha256()) throw invalid('it was cut or changed: its digest does not fit')
    return { header, end, origin: judged(header, end, encryptionSecret, invalid), bytes: size }
  } finally {
    await handle.close()
  }
}

/**
 * What a backup says about itself at its end, without checking the rest. Undefined if that cannot be
 * read.
 */
export async function readSummary(file: string): Promise<{ readonly summary: StoredSummary; readonly bytes: number } | undefined> {
  const handle = await openBackup(file).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    if (size < endMarkSize || size % blockSize !== 0) return undefined
    const end = parseEndMark(await readExactly(handle, size - endMarkSize, endMarkSize))
    if (end === undefined) return undefined
    const { summaryAt: at } = end
    const length = size - endMarkSize - at
    if (!(length > blockSize && length <= maxSmallBytes)) return undefined
    const blocks = await readExactly(handle, at, length)
    const { size: bytes = 0, path } = new Header(blocks, 0)
    if (path !== names.summary) return undefined
    return { summary: parseSummary(blocks.subarray(blockSize, blockSize + bytes).toString()), bytes: size }
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

type Invalid = (reason: string, cause?: unknown) => Error

async function openBackup(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (cause) {
    throw backupInvalidError.create(
      { path: file, reason: `it cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` },
      { cause },
    )
  }
}

/** Everything before the end mark, read once from the beginning, through the digest. */
function createBody(
  handle: FileHandle,
  options: { readonly end: number; readonly signal: AbortSignal; readonly invalid: Invalid; readonly progress: ArchiveVisitor['progress'] },
) {
  const { end, signal, invalid, progress } = options
  const whole = createHash('sha256')
  let filledAt = 0
  let buffer: Buffer = Buffer.alloc(0)
  let position = 0

  const next = async (max: number): Promise<Buffer> => {
    if (position >= filledAt + buffer.length) {
      signal.throwIfAborted()
      filledAt = position
      buffer = await readExactly(handle, position, Math.min(pieceBytes, end - position)).catch((error: unknown) => {
        throw invalid('it was cut while it was read', error)
      })
      whole.update(buffer)
      progress?.(position + buffer.length)
    }
    const piece = buffer.subarray(position - filledAt, position - filledAt + max)
    position += piece.length
    return piece
  }
  const take = async (bytes: number): Promise<Buffer> => {
    if (position + bytes > end) throw invalid('it was cut')
    const pieces: Buffer[] = []
    for (let left = bytes; left > 0; ) {
      const piece = await next(left)
      pieces.push(piece)
      left -= piece.length
    }
    return Buffer.concat(pieces)
  }
  return {
    position: () => position,
    isAtEnd: () => position >= end,
    /** The next bytes, at most so many. */
    next,
    take,
    async *content(bytes: number): AsyncGenerator<Buffer> {
      if (position + bytes + paddingOf(bytes) > end) throw invalid('it was cut')
      for (let left = bytes; left > 0; ) {
        const piece = await next(left)
        left -= piece.length
        yield piece
      }
      if (!(await take(paddingOf(bytes))).every((byte) => byte === 0)) throw invalid('it was changed between two entries')
    },
    /** Of everything, once all is read. */
    sha256: () => whole.copy().digest('hex'),
  }
}

type Body = ReturnType<typeof createBody>

function judged(header: BackupHeader, end: ArchiveEnd, encryptionSecret: string, invalid: Invalid): Origin {
  const origin = originOf(header, end, encryptionSecret)
  if (origin === undefined) throw invalid('it was changed after it was made: its proof of origin is missing, or does not fit its content')
  return origin
}

/** The first entry, and its line of the manifest. @throws `backup_newer`, `backup_invalid`. */
async function readHeader(file: string, body: Body, invalid: Invalid): Promise<{ readonly header: BackupHeader; readonly line: string }> {
  const entry = await readEntry(body, invalid)
  if (entry?.path !== names.header) throw invalid('it does not begin as a backup does')
  const content = await readSmall(body, entry, invalid)
  const header = orInvalid(() => parseHeader(content.toString()), invalid)
  if (header.format > backupFormat) throw backupNewerError.create({ path: file, format: header.format, supported: backupFormat })
  return { header, line: lineOf({ path: entry.path, bytes: entry.bytes, sha256: createHash('sha256').update(content).digest('hex') }) }
}

/** The next entry's data; undefined at the end. Only files and folders are allowed. */
async function readEntry(body: Body, invalid: Invalid): Promise<EntryData | undefined> {
  if (body.isAtEnd()) return undefined
  let more: LongRecord | undefined
  for (;;) {
    const block = await body.take(blockSize)
    const header = new Header(block, 0)
    if (!header.cksumValid || header.nullBlock) throw invalid('it was changed: the head of an entry is damaged')
    const { type, mode = 0o600, mtime } = header
    const { path = header.path ?? '', size = header.size ?? 0, sparseSize } = more ?? {}
    if (type === 'ExtendedHeader') {
      if (more !== undefined || size > maxSmallBytes) throw invalid('the head of an entry is not as the service writes it')
      const record = await body.take(size)
      await body.take(paddingOf(size))
      more = orInvalid(() => parseLongRecord(record), invalid)
      continue
    }
    const kind = type === 'File' ? 'file' : type === 'Directory' ? 'folder' : undefined
    if (kind === undefined) throw invalid(`it has an entry of the kind ${type}, and a backup has only files and folders`)
    const name = kind === 'folder' && path.endsWith('/') ? path.slice(0, -1) : path
    const problem = problemOfPath(name)
    if (problem !== undefined) throw invalid(`the path ${JSON.stringify(name)} in it ${problem}`)
    if (kind === 'file' && roots.some((root) => root === name)) throw invalid(`${name} in it is a file, and not the folder`)
    if (!Number.isSafeInteger(size) || size < 0 || (kind === 'folder' && size > 0)) throw invalid(`the size of ${name} in it is impossible`)
    if (sparseSize !== undefined && (kind === 'folder' || !Number.isSafeInteger(sparseSize) || sparseSize < 0 || !name.includes('/')))
      throw invalid(`the length of ${name} in it is impossible`)
    const entry: EntryData = { path: name, kind, bytes: size, mode: mode & 0o777, changedAt: mtime?.getTime() || 0 }
    return sparseSize === undefined ? entry : { ...entry, sparseSize }
  }
}

async function take(visitor: ArchiveVisitor, entry: EntryData, content: AsyncIterable<Buffer>): Promise<void> {
  if (visitor.entry) return visitor.entry(entry, content)
  for await (const _ of entry.sparseSize === undefined ? content : readSparse(content, entry.sparseSize));
}

async function* digested(content: AsyncIterable<Buffer>, digest: { update(piece: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    digest.update(piece)
    yield piece
  }
}

async function readSmall(body: Body, { path, bytes }: EntryData, invalid: Invalid): Promise<Buffer> {
  if (bytes > maxSmallBytes) throw invalid(`its ${path} is too large`)
  const pieces: Buffer[] = []
  for await (const piece of body.content(bytes)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function readExactly(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  let filled = 0
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, position + filled)
    if (bytesRead === 0) throw new Error('The file is shorter than it was.')
    filled += bytesRead
  }
  return buffer
}

function orInvalid<Result>(work: () => Result, invalid: Invalid): Result {
  try {
    return work()
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error), error)
  }
}
