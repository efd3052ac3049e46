import { readSync, writeSync } from 'node:fs'

/**
 * What SQLite leaves behind although `secure_delete` is on: when it rebuilds a page of a tree,
 * cells that moved to a neighbour stay in the room that became free, and deleting them later
 * overwrites the moved ones alone. Readers never look at that room, so zeros can be written over it
 * while they read. The bytes beside it are not touched, even when the power fails meanwhile: SQLite
 * expects that of every disk (`SQLITE_POWERSAFE_OVERWRITE`).
 */

/** Pages of this many bytes or fewer are looked at in one go. */
export const scrubbedAtOnce = 4 * 1024 * 1024

/**
 * From this page number on, the first byte of an overflow page could be that of a page of a tree.
 * Such a file has 128 GiB.
 */
const unclearFrom = 0x0200_0000

/** A range of bytes in a page, exclusive at its end. */
type Room = readonly [start: number, end: number]

const interiorTypes: readonly number[] = [2, 5]
const leafTypes: readonly number[] = [10, 13]

/**
 * The room of a page that is in no cell: between the pointers and the cells, and behind the four
 * bytes that lead each free block. None for a page that belongs to no tree, or does not look as one
 * should.
 * @param header - Where the page's header begins: at 100 in the first page of a file, else at 0.
 */
export function freeRoomOf(page: Buffer, header: number): readonly Room[] {
  const type = page[header] ?? 0
  const interior = interiorTypes.includes(type)
  if (!interior && !leafTypes.includes(type)) return []
  const pointers = header + (interior ? 12 : 8)
  const cells = page.readUInt16BE(header + 3)
  const start = pointers + 2 * cells
  const end = page.readUInt16BE(header + 5) || 65_536
  if (start > end || end > page.length) return []
  for (let at = pointers; at < start; at += 2) {
    const cell = page.readUInt16BE(at)
    if (cell < end || cell >= page.length) return []
  }
  const rooms: Room[] = [[start, end]]
  for (let block = page.readUInt16BE(header + 1), last = end; block !== 0; ) {
    if (block < last || block + 4 > page.length) return []
    const size = page.readUInt16BE(block + 2)
    if (size < 4 || block + size > page.length) return []
    rooms.push([block + 4, block + size])
    last = block + size
    block = page.readUInt16BE(block)
  }
  return rooms
}

const isZero = (page: Buffer, [start, end]: Room): boolean => {
  for (let at = start; at < end; at += 1) if (page[at] !== 0) return false
  return true
}

/** Part of a database file. */
export interface ScrubOptions {
  /**
   * The file, open for reading and writing. Its log is empty, and nothing writes to it meanwhile.
   */
  readonly handle: number
  readonly pageSize: number
  /** Of the file. */
  readonly pages: number
  /** The first page to look at, from 0. */
  readonly from: number
}

/** How far it came. */
export interface Scrubbed {
  /** The page to go on with; undefined at the end. */
  readonly next: number | undefined
  /** Whether anything was written. */
  readonly changed: boolean
}

/**
 * Writes zeros over the free room of the pages from one on, {@link scrubbedAtOnce} bytes of them.
 * Not synced.
 */
export function scrubPages({ handle, pageSize, pages, from }: ScrubOptions): Scrubbed {
  const count = Math.min(pages - from, Math.floor(scrubbedAtOnce / pageSize))
  if (count <= 0 || pages >= unclearFrom) return { next: undefined, changed: false }
  const bytes = Buffer.alloc(count * pageSize)
  const read = readSync(handle, bytes, 0, bytes.length, from * pageSize)
  let changed = false
  for (let number = 0; (number + 1) * pageSize <= read; number += 1) {
    const start = number * pageSize
    const page = bytes.subarray(start, start + pageSize)
    for (const room of freeRoomOf(page, from + number === 0 ? 100 : 0)) {
      if (isZero(page, room)) continue
      writeSync(handle, Buffer.alloc(room[1] - room[0]), 0, room[1] - room[0], from * pageSize + start + room[0])
      changed = true
    }
  }
  const next = from + count
  return { next: next < pages ? next : undefined, changed }
}
