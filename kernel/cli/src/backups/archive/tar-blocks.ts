import { Header, Pax } from 'tar'

/** Tar files consist of blocks of this size. */
export const blockSize = 512
/** The two empty blocks at the end. */
const endBlocks = Buffer.alloc(2 * blockSize)

/** The metadata of an entry. */
export interface EntryData {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly bytes: number
  /** Permissions. */
  readonly mode: number
  /** In milliseconds since 1970, also before; kept in seconds, at most as far from it as a `Date` can be. */
  readonly changedAt: number
  /** The length of a file with holes: its content is then a map and the data. */
  readonly sparseSize?: number
}

/** The blocks before an entry's content, always the same for the same data. */
export function headerBlocks({ path, kind, bytes, mode, changedAt, sparseSize }: EntryData): Buffer {
  const data = {
    path: kind === 'folder' ? `${path}/` : path,
    type: kind === 'folder' ? ('Directory' as const) : ('File' as const),
    ...{ mode: mode & 0o777, uid: 0, gid: 0, size: bytes, mtime: dateOf(changedAt) },
  }
  const header = new Header(data)
  const block = Buffer.alloc(blockSize)
  const needsMore = header.encode(block)
  if (sparseSize !== undefined) return Buffer.concat([sparseBlocks(path, { bytes, sparseSize }), block])
  // Long names and large sizes have a record of their own before the header.
  return needsMore ? Buffer.concat([new Pax({ path: data.path, size: bytes, mtime: data.mtime }).encode(), block]) : block
}

/** The farthest that a date can be from 1970; file systems go farther. */
const maxDateMs = 8_640_000_000_000_000

const dateOf = (changedAt: number): Date => new Date(Math.min(maxDateMs, Math.max(-maxDateMs, Math.floor(changedAt / 1_000) * 1_000)))

/** The record before the head of a file with holes, as GNU tar has it in its format 1.0. */
function sparseBlocks(path: string, { bytes, sparseSize }: { readonly bytes: number; readonly sparseSize: number }): Buffer {
  const record = Buffer.concat(
    [
      ...[['path', path] as const, ['size', bytes] as const, ['GNU.sparse.major', 1] as const, ['GNU.sparse.minor', 0] as const],
      ...[['GNU.sparse.name', path] as const, ['GNU.sparse.realsize', sparseSize] as const],
    ].map(([name, value]) => recordLine(name, String(value))),
  )
  const block = Buffer.alloc(blockSize)
  new Header({ path: 'PaxHeader/sparse', type: 'ExtendedHeader', mode: 0o600, uid: 0, gid: 0, size: record.length }).encode(block)
  return Buffer.concat([block, record, Buffer.alloc(paddingOf(record.length))])
}

/** `<length> <name>=<value>\n`, where the length in bytes includes itself. */
function recordLine(name: string, value: string): Buffer {
  const rest = ` ${name}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (String(length).length > String(bytes).length) length = bytes + String(length).length
  return Buffer.from(`${length}${rest}`)
}

/** How many bytes fill the last block of a content. */
export const paddingOf = (bytes: number): number => (blockSize - (bytes % blockSize)) % blockSize

/** What the end of a backup says. */
export interface ArchiveEnd {
  /** Of every byte before the end. */
  readonly sha256: string
  /** Where the summary begins. */
  readonly summaryAt: number
  /** The proof of origin; absent before format 3. */
  readonly proof?: string
}

/** Everything after the digest was taken: the end mark, of fixed size. */
export function endMark({ sha256, summaryAt, proof }: ArchiveEnd): Buffer {
  const content = Buffer.from(`${JSON.stringify({ sha256, summary_at: summaryAt, ...(proof !== undefined && { proof }) })}\n`)
  const padding = Buffer.alloc(paddingOf(content.length))
  const header = headerBlocks({ path: 'end.json', kind: 'file', bytes: content.length, mode: 0o600, changedAt: 0 })
  return Buffer.concat([header, content, padding, endBlocks])
}

/** The size of {@link endMark}: header, content, empty blocks. */
export const endMarkSize = 4 * blockSize

const digestPattern = /^[0-9a-f]{64}$/

/** Reads an {@link endMark}; undefined if the bytes are not exactly one. */
export function parseEndMark(mark: Buffer): ArchiveEnd | undefined {
  let value: unknown
  try {
    value = JSON.parse(
      mark
        .subarray(blockSize, 2 * blockSize)
        .toString()
        .replace(/\0+$/, ''),
    )
  } catch {
    // No JSON, so no end mark.
    return undefined
  }
  const { sha256, summary_at: summaryAt, proof } = Object(value) as Readonly<Record<string, unknown>>
  if (typeof sha256 !== 'string' || !digestPattern.test(sha256) || !Number.isSafeInteger(summaryAt)) return undefined
  if (proof !== undefined && !(typeof proof === 'string' && digestPattern.test(proof))) return undefined
  const end: ArchiveEnd = { sha256, summaryAt: Number(summaryAt), ...(proof !== undefined && { proof }) }
  return endMark(end).equals(mark) ? end : undefined
}

/** What does not fit into the head of an entry. */
export interface LongRecord {
  readonly path?: string
  readonly size?: number
  /** The length of a file with holes. */
  readonly sparseSize?: number
}

/**
 * Reads the record before the head of an entry: `<length> <name>=<value>\n`, again and again, where
 * the length in bytes includes itself. Values may have line ends. @throws an `Error`.
 */
export function parseLongRecord(record: Buffer): LongRecord {
  const found: { path?: string; size?: number; sparseSize?: number } = {}
  for (let at = 0; at < record.length; ) {
    const space = record.indexOf(' ', at)
    const length = Number(record.subarray(at, space).toString())
    const line = record.subarray(space + 1, at + length)
    const equals = line.indexOf('=')
    if (space < 0 || !(length > space - at + 2) || at + length > record.length || equals < 0 || line.at(-1) !== 0x0a)
      throw new Error('the long name of an entry is damaged')
    const value = line.subarray(equals + 1, -1).toString()
    const name = line.subarray(0, equals).toString()
    if (name === 'path') found.path = value
    else if (name === 'size') found.size = Number(value)
    else if (name === 'GNU.sparse.realsize') found.sparseSize = Number(value)
    at += length
  }
  return found
}
