import type { Database } from '@agent-service/sdk/services/database'
import { cutText, wellFormed } from '../common/well-formed.js'
import { type ResultPiece, resultPieceCollection } from '../store/runs/result-piece.js'

/** The most text of one result that is kept, in UTF-16 code units. */
export const maxKeptResultLength = 5_000_000
/** The length of every piece but the last. */
const pieceLength = 64_000

/** Identifies a result. */
export interface ResultKey {
  readonly callId: string
  readonly chatId: string
  readonly userId: string
}

/** A place in a result where a text was found. `text`: the text around it. */
export interface ResultMatch {
  readonly offset: number
  readonly text: string
}

/** The whole texts of results that were cut for the model. */
export interface KeptResults {
  /** Stores a text, or its first 5,000,000 code units. Storing it again changes nothing. */
  keep(place: ResultKey & { readonly tool: string }, text: string): Promise<void>
  /** The length of a stored text; undefined if this chat of this user has none for that call. */
  lengthOf(place: ResultKey): Promise<number | undefined>
  /** A part of a stored text, which never splits a surrogate pair. Empty after its end. */
  read(place: ResultKey, part: { readonly offset: number; readonly length: number; readonly signal: AbortSignal }): Promise<string>
  /** The first places of a text, ignoring case. */
  search(
    place: ResultKey,
    wanted: { readonly text: string; readonly from: number; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly ResultMatch[]>
}

export function createKeptResults({ database }: { readonly database: Database }): KeptResults {
  const pieces = database.collection(resultPieceCollection)
  const idOf = (callId: string, index: number): string => `${callId}/${String(index).padStart(4, '0')}`

  const pieceAt = async ({ callId, chatId, userId }: ResultKey, index: number): Promise<ResultPiece | undefined> => {
    const piece = await pieces.get(idOf(callId, index))
    return piece?.chat_id === chatId && piece.user_id === userId ? piece : undefined
  }

  const read: KeptResults['read'] = async (place, { offset, length, signal }) => {
    let text = ''
    for (let index = Math.floor(offset / pieceLength); index * pieceLength < offset + length; index += 1) {
      signal.throwIfAborted()
      const piece = await pieceAt(place, index)
      if (!piece) break
      text += piece.text.slice(Math.max(0, offset - piece.from), Math.max(0, offset + length - piece.from))
    }
    return wholePairs(text)
  }

  return {
    read,

    async keep({ callId, chatId, userId, tool }, whole) {
      const text = cutText(wellFormed(whole), maxKeptResultLength)
      const count = Math.max(1, Math.ceil(text.length / pieceLength))
      // In transactions of bounded size; the first piece comes last, so that only a whole result is
      // found.
      for (let end = count; end > 0; end -= piecesPerWrite) {
        await database.transaction(async (transaction) => {
          for (let index = Math.max(0, end - piecesPerWrite); index < end; index += 1) {
            const from = pieceBegin(text, index)
            transaction.put(resultPieceCollection, {
              id: idOf(callId, index),
              call_id: callId,
              chat_id: chatId,
              user_id: userId,
              tool,
              from,
              length: text.length,
              text: text.slice(from, pieceBegin(text, index + 1)),
            })
          }
        })
      }
    },

    lengthOf: async (place) => (await pieceAt(place, 0))?.length,

    async search(place, { text, from, limit, signal }) {
      const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
      const offsets: number[] = []
      let carried = ''
      for (let index = Math.floor(from / pieceLength); offsets.length < limit; index += 1) {
        signal.throwIfAborted()
        const piece = await pieceAt(place, index)
        if (!piece) break
        const looked = carried + piece.text
        const begin = piece.from - carried.length
        let end = 0
        for (const match of looked.matchAll(pattern)) {
          if (begin + match.index < from) continue
          end = match.index + match[0].length
          offsets.push(begin + match.index)
          if (offsets.length === limit) break
        }
        // A match that begins here may end in the next piece.
        carried = looked.slice(Math.max(end, looked.length - text.length + 1))
      }
      const around = async (offset: number): Promise<ResultMatch> => {
        const start = Math.max(0, offset - contextLength)
        return { offset, text: await read(place, { offset: start, length: offset - start + text.length + contextLength, signal }) }
      }
      return Promise.all(offsets.map(around))
    },
  }
}

/** How much text is shown on each side of a match. */
const contextLength = 120
/** How many pieces one transaction writes. */
const piecesPerWrite = 16

/**
 * Where a piece begins: one code unit later if it would begin within a surrogate pair, which no
 * store can hold.
 */
function pieceBegin(text: string, index: number): number {
  const begin = Math.min(index * pieceLength, text.length)
  const code = text.charCodeAt(begin)
  return code >= 0xdc00 && code <= 0xdfff ? begin + 1 : begin
}

/** A text without half a surrogate pair at its beginning or its end. */
function wholePairs(text: string): string {
  const first = text.charCodeAt(0)
  return cutText(first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text, text.length)
}
