import { setImmediate } from 'node:timers/promises'

/** How many bytes are scanned before other work gets its turn. */
const pieceBytes = 1024 * 1024
const newline = 0x0a

/** Where some lines of a text are, in bytes, and how many lines there are. */
export interface LineRange {
  readonly start: number
  /** After the last line, including its line ending. */
  readonly end: number
  readonly total: number
}

/**
 * Finds lines `first` to `last`, counted from 1. A line ending at the very end does not begin
 * another line.
 */
export async function findLines(bytes: Uint8Array, first: number, last: number): Promise<LineRange> {
  let line = 1
  let start = first === 1 ? 0 : bytes.byteLength
  let end = bytes.byteLength
  let nextPause = pieceBytes
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    if (line === last) end = at + 1
    line += 1
    if (line === first) start = at + 1
    if (at < nextPause) continue
    nextPause = at + pieceBytes
    await setImmediate()
  }
  const endsWithNewline = bytes.at(-1) === newline
  const total = bytes.byteLength === 0 ? 0 : endsWithNewline ? line - 1 : line
  return { start: Math.min(start, end), end, total }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as text; `undefined` if they are not UTF-8 or contain NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The number of the line of a character. */
export function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
