import { isObject, parseJson } from '../common/json.js'
import { unreadable } from '../failures/unreadable.js'
import { createStrayText } from './stray-text.js'
import type { StreamDocument, StreamReader } from './stream-reader.js'

/** A single document that is larger than this, in UTF-16 code units, ends the reading. */
const documentSizeLimit = 64 * 1024 * 1024

/** Inside a text: its end, an escape, and the line end that cannot be there. */
const inText = /["\\\n]/g
/** Outside texts: what opens and closes. */
const outsideText = /["{}[\]]/g

/** A reader of documents; `isList` once a list has begun. */
export interface JsonDocumentsReader extends StreamReader {
  readonly isList: boolean
}

/**
 * Reads documents of JSON however they follow each other: in lines, in several lines each, with
 * commas or nothing between them, or as the members of one list. Each is given as soon as it is
 * complete. Text between them is `stray`.
 */
export function createJsonDocumentsReader(): JsonDocumentsReader {
  const decoder = new TextDecoder()
  const stray = createStrayText()
  let pieces: string[] = []
  let size = 0
  let depth = 0
  let isInText = false
  let isEscaped = false
  let strayLine = ''
  let isList = false
  let done = false
  let count = 0
  let postponed: Error | undefined

  const endStray = (): void => {
    stray.add(strayLine)
    strayLine = ''
  }
  /** Reads a place between two documents; returns the position after it. */
  const between = (text: string, at: number): number => {
    const character = text.charAt(at)
    if (strayLine !== '') {
      const end = text.indexOf('\n', at)
      const brace = text.indexOf('{', at)
      // An event after a document that is none.
      if (brace >= 0 && (end < 0 || brace < end) && /^data:\s*$/.test(strayLine + text.slice(at, brace))) {
        strayLine = ''
        return brace
      }
      strayLine = (strayLine + text.slice(at, end < 0 ? undefined : end)).slice(0, 4_000)
      if (end < 0) return text.length
      endStray()
      return end + 1
    }
    if (character === '{') depth = 1
    else if (character === '[' && count === 0 && !isList) isList = true
    else if (character === ']' && isList) {
      done = true
      if (count === 0) throw unreadable('The answer is an empty list.')
    } else if (!/[\s,]/.test(character)) strayLine = character
    return at + (character === '{' ? 0 : 1)
  }
  /** Reads on inside a document; returns the position after its last character, or -1 if it goes on. */
  const inside = (text: string, from: number): number => {
    let at = from
    while (at < text.length) {
      if (isEscaped) {
        isEscaped = false
        at += 1
        continue
      }
      const signs = isInText ? inText : outsideText
      signs.lastIndex = at
      const found = signs.exec(text)
      if (!found) return -1
      at = found.index + 1
      const sign = found[0]
      if (sign === '"') isInText = !isInText
      else if (sign === '\\') isEscaped = true
      else if (sign === '\n') throw unreadable('A document of the answer is not JSON: one of its texts contains a line end.')
      else depth += sign === '{' || sign === '[' ? 1 : -1
      if (depth === 0) return at
    }
    return -1
  }
  const take = (piece: string): readonly StreamDocument[] => {
    const text = pieces.length === 0 ? piece : pieces.join('') + piece
    pieces = []
    size = 0
    count += 1
    const parsed = parseJson(text)
    if (isObject(parsed)) return [{ data: parsed }]
    throw unreadable(`A document of the answer is not JSON; it begins with “${text.slice(0, 80)}”.`)
  }
  const read = (text: string, documents: StreamDocument[]): void => {
    let at = 0
    while (at < text.length && !done) {
      if (depth === 0) {
        at = between(text, at)
        if (depth === 0) continue
      }
      // The brace that opens a document is read before its inside.
      const isOpening = pieces.length === 0
      const end = inside(text, isOpening ? at + 1 : at)
      if (end < 0) {
        pieces.push(text.slice(at))
        size += text.length - at
        if (size > documentSizeLimit) throw unreadable(`A document of the answer is larger than ${documentSizeLimit} characters.`)
        return
      }
      documents.push(...take(text.slice(at, end)))
      at = end
    }
  }

  return {
    get isList() {
      return isList
    },
    get done() {
      return done
    },
    get stray() {
      return [stray.text, strayLine].filter((text) => text !== '').join('\n')
    },
    feed(bytes) {
      if (postponed) throw postponed
      const documents: StreamDocument[] = []
      try {
        read(decoder.decode(bytes, { stream: true }), documents)
      } catch (error) {
        postponed = error as Error
        if (documents.length === 0) throw postponed
      }
      return documents
    },
    end() {
      if (postponed) throw postponed
      const begun = pieces.join('')
      if (begun !== '' && count === 0 && !isList) throw unreadable(`The answer is not JSON; it begins with “${begun.slice(0, 80)}”.`, begun)
      return []
    },
  }
}
