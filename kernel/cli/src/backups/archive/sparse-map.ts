import type { FileHandle } from 'node:fs/promises'
import { paddingOf } from './tar-blocks.js'

/** Map, data and length of a sparse entry do not belong together. */
export class SparseMapError extends Error {}

/** A part of a file that is not only zeros. */
export interface DataSegment {
  readonly offset: number
  readonly bytes: number
}

/** Zeros of this length, at a multiple of it, are a hole: as small as file systems have them. */
export const holeBytes = 4_096
/** A file with more parts of data has its shortest holes filled, so that maps are bounded. */
export const maxSegments = 16_384
const pieceBytes = 1_048_576
const zeros = Buffer.alloc(pieceBytes)
/** The longest map that is read: as many segments as fit into it are more than any backup has. */
const maxMapBytes = 4_194_304

/**
 * Finds the data of a file that occupies less than its length, by reading it: no system call for
 * that is within reach, and file systems that compress make any file look so. Undefined once
 * `maxZeros` bytes of holes were read, so that the work on a file of terabytes is bounded.
 */
export async function findData(
  file: Pick<FileHandle, 'read'>,
  size: number,
  { maxZeros, signal }: { readonly maxZeros: number; readonly signal: AbortSignal },
): Promise<{ readonly segments: readonly DataSegment[]; readonly zeros: number } | undefined> {
  let segments: Segment[] = []
  const buffer = Buffer.alloc(pieceBytes)
  let minHole = holeBytes
  let read = 0
  const addData = (offset: number, bytes: number): void => {
    const last = segments.at(-1)
    if (last && offset - (last.offset + last.bytes) < minHole) {
      last.bytes = offset + bytes - last.offset
      return
    }
    segments.push({ offset, bytes })
    while (segments.length > maxSegments) {
      minHole *= 2
      segments = joined(segments, minHole)
    }
  }
  for (let at = 0; at < size; at += pieceBytes) {
    signal.throwIfAborted()
    const wanted = Math.min(pieceBytes, size - at)
    const bytes = await readInto(file, buffer, { at, wanted })
    // What a file has lost while it is read is found by who copies it.
    if (bytes === wanted && isZeros(buffer.subarray(0, bytes))) read += bytes
    else
      for (let inner = 0; inner < wanted; inner += holeBytes) {
        const page = buffer.subarray(inner, Math.min(inner + holeBytes, wanted))
        if (bytes === wanted && isZeros(page)) read += page.length
        else addData(at + inner, page.length)
      }
    if (read > maxZeros) return undefined
  }
  return { segments, zeros: size - dataBytes(segments) }
}

type Segment = { -readonly [Key in keyof DataSegment]: DataSegment[Key] }

/** The same data, where holes that are shorter count as data. */
function joined(segments: readonly DataSegment[], minHole: number): Segment[] {
  const all: Segment[] = []
  for (const { offset, bytes } of segments) {
    const last = all.at(-1)
    if (last && offset - (last.offset + last.bytes) < minHole) last.bytes = offset + bytes - last.offset
    else all.push({ offset, bytes })
  }
  return all
}

/** Whether there are only zeros in at most a mebibyte. */
export const isZeros = (bytes: Buffer): boolean => bytes.compare(zeros, 0, bytes.length) === 0

/** Reads parts of a file one after the other through one buffer; what is yielded is there until the next is asked for. */
export async function* readParts(
  file: Pick<FileHandle, 'read'>,
  parts: readonly DataSegment[],
  buffer: Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  let filled = 0
  for (const { offset, bytes } of parts)
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(buffer, filled, Math.min(bytes - done, buffer.length - filled), offset + done)
      // It has become shorter.
      if (bytesRead === 0) return
      done += bytesRead
      filled += bytesRead
      if (filled < buffer.length) continue
      yield buffer
      filled = 0
    }
  if (filled > 0) yield buffer.subarray(0, filled)
}

/** The map before the data of a sparse entry, as GNU tar has it in its format 1.0. */
export function encodeMap(segments: readonly DataSegment[], size: number): Buffer {
  const last = segments.at(-1)
  // A hole at the end is a segment without data.
  const all = last && last.offset + last.bytes === size ? segments : [...segments, { offset: size, bytes: 0 }]
  const text = Buffer.from(`${[all.length, ...all.flatMap(({ offset, bytes }) => [offset, bytes])].join('\n')}\n`)
  return Buffer.concat([text, Buffer.alloc(paddingOf(text.length))])
}

/** Data of a sparse entry, and its place in the file. */
export interface SparsePiece {
  readonly offset: number
  readonly bytes: Buffer
}

/**
 * Reads the content of a sparse entry: the map, then the data. Memory does not grow with the data.
 * @throws {@link SparseMapError} if map, data and size do not belong together.
 */
export async function* readSparse(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<SparsePiece, void, undefined> {
  let map = Buffer.alloc(0)
  let segments: readonly DataSegment[] | undefined
  let [index, done] = [0, 0]
  for await (const piece of content) {
    let rest: Buffer = piece
    if (segments === undefined) {
      map = Buffer.concat([map, piece])
      const parsed = parseMap(map, size)
      if (parsed === undefined) continue
      segments = parsed.segments
      rest = map.subarray(parsed.length)
    }
    while (rest.length > 0) {
      const segment = segments[index]
      if (segment === undefined) throw new SparseMapError('it has more data than its map')
      const bytes = rest.subarray(0, segment.bytes - done)
      if (bytes.length > 0) yield { offset: segment.offset + done, bytes }
      done += bytes.length
      rest = rest.subarray(bytes.length)
      if (done < segment.bytes) continue
      index += 1
      done = 0
    }
  }
  while (segments?.[index]?.bytes === 0) index += 1
  if (segments === undefined || index < segments.length) throw new SparseMapError('it has less data than its map')
}

/** The map, once all of it is there. @throws {@link SparseMapError}. */
function parseMap(bytes: Buffer, size: number): { readonly segments: readonly DataSegment[]; readonly length: number } | undefined {
  if (bytes.length > maxMapBytes) throw new SparseMapError('its map is too long')
  const end = bytes.indexOf(0x0a)
  if (end < 0) return undefined
  const count = numberOf(bytes.subarray(0, end).toString('latin1'))
  if (count > maxMapBytes / 4) throw new SparseMapError('its map is too long')
  const numbers: number[] = []
  let at = end + 1
  while (numbers.length < 2 * count) {
    const next = bytes.indexOf(0x0a, at)
    if (next < 0) return undefined
    numbers.push(numberOf(bytes.subarray(at, next).toString('latin1')))
    at = next + 1
  }
  const length = at + paddingOf(at)
  if (bytes.length < length) return undefined
  const segments: DataSegment[] = []
  let behind = 0
  for (let index = 0; index < numbers.length; index += 2) {
    const [offset = 0, held = 0] = numbers.slice(index, index + 2)
    if (offset < behind || offset + held > size) throw new SparseMapError('its map leads out of the file')
    behind = offset + held
    segments.push({ offset, bytes: held })
  }
  return { segments, length }
}

function numberOf(text: string): number {
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) throw new SparseMapError('its map is damaged')
  return Number(text)
}

async function readInto(
  file: Pick<FileHandle, 'read'>,
  buffer: Buffer,
  { at, wanted }: { readonly at: number; readonly wanted: number },
): Promise<number> {
  let filled = 0
  while (filled < wanted) {
    const { bytesRead } = await file.read(buffer, filled, wanted - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

export const dataBytes = (segments: readonly DataSegment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** The length of the entry of a sparse file: of its map and its data. */
export const storedBytes = (map: Buffer, segments: readonly DataSegment[]): number => map.length + dataBytes(segments)
