import { exportUnreadableError } from './export-error.js'

/** One value of the list that a file is, or the whole file if it is one object. */
export interface ChatPiece {
  /** From 1, in the order of the file. */
  readonly number: number
  /** The line of the file in which it begins, from 1. */
  readonly line: number
  /** Whether the file is this one object and no list. */
  readonly isWhole: boolean
  /** Its JSON; undefined: it has more bytes than a chat may have. */
  readonly json: Buffer | undefined
}

/** The most bytes of one chat. */
export const maxChatBytes = 32 * 1024 * 1024

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

/**
 * Takes a file of JSON apart into the chats of the list that it is, without reading it whole: at most
 * one chat is in memory. What is inside of a chat is not checked. @throws `export_unreadable` with the
 * line, if the file is no list of objects and no object, or ends too early.
 */
export async function* splitChats(
  content: AsyncIterable<Uint8Array>,
  { file, maxBytes = maxChatBytes }: { readonly file: string; readonly maxBytes?: number },
): AsyncIterable<ChatPiece> {
  const state = {
    ...{ number: 0, line: 1, depth: 0, inText: false, escaped: false },
    isList: undefined as boolean | undefined,
    ended: false,
  }
  let piece: { readonly line: number; readonly chunks: Buffer[]; bytes: number } | undefined
  const refuse = (problem: string): Error => exportUnreadableError.create({ reason: `${file}, line ${state.line}: ${problem}` })
  const keep = (bytes: Buffer): void => {
    if (!piece) return
    piece.bytes += bytes.length
    if (piece.bytes > maxBytes) piece.chunks.length = 0
    else piece.chunks.push(bytes)
  }
  const take = (): ChatPiece => {
    state.number += 1
    const { line = 1, chunks = [], bytes = 0 } = piece ?? {}
    piece = undefined
    return { number: state.number, line, isWhole: state.isList !== true, json: bytes > maxBytes ? undefined : Buffer.concat(chunks) }
  }
  for await (const given of content) {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      if (state.inText) {
        at = endOfText(chunk, at, state)
        continue
      }
      const byte = chunk[at] ?? 0
      if (byte === newline) state.line += 1
      if (isSpace(byte)) continue
      if (piece) {
        if (byte === quote) state.inText = true
        else if (byte === openObject || byte === openList) state.depth += 1
        else if (byte === closeObject || byte === closeList) {
          state.depth -= 1
          if (state.depth > 0) continue
          keep(chunk.subarray(from, at + 1))
          from = at + 1
          yield take()
          if (state.isList !== true) state.ended = true
        }
        continue
      }
      if (state.ended) throw refuse('something follows the end of the JSON')
      if (state.isList === undefined && byte === openList) state.isList = true
      else if (byte === openObject) {
        state.isList ??= false
        piece = { line: state.line, chunks: [], bytes: 0 }
        state.depth = 1
        from = at
      } else if (state.isList === true && byte === closeList) state.ended = true
      else if (state.isList === undefined && isOfMark(byte)) continue
      else if (state.isList !== true) throw refuse('it is not JSON')
      else if (byte !== comma) throw refuse(`after chat ${state.number} something other than a chat follows`)
    }
    keep(chunk.subarray(from))
  }
  if (piece) throw refuse(`the file ends in the middle of chat ${state.number + 1}. It was not downloaded or unpacked whole`)
  if (state.isList === undefined) throw refuse('the file is empty')
  if (!state.ended)
    throw refuse(`the file ends after chat ${state.number}, in the middle of the list. It was not downloaded or unpacked whole`)
}

/** Some programs begin a file of UTF-8 with a mark of these bytes. */
const isOfMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf

/** The position of the quote that ends a text, or that of the last byte if it goes on. */
function endOfText(chunk: Buffer, begin: number, state: { inText: boolean; escaped: boolean }): number {
  let at = begin
  let slash = -2
  while (at < chunk.length) {
    if (state.escaped) {
      state.escaped = false
      at += 1
      continue
    }
    const end = chunk.indexOf(quote, at)
    const limit = end === -1 ? chunk.length : end
    if (slash !== -1 && slash < at) slash = chunk.indexOf(backslash, at)
    if (slash !== -1 && slash < limit) {
      state.escaped = true
      at = slash + 1
      continue
    }
    if (end === -1) return chunk.length - 1
    state.inText = false
    return end
  }
  return chunk.length - 1
}
