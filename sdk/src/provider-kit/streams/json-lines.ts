import { isObject, parseJson } from '../common/json.js'
import { unreadable } from '../failures/unreadable.js'
import { createStrayText } from './stray-text.js'
import type { StreamDocument, StreamReader } from './stream-reader.js'

/** A single line that is larger than this, in UTF-16 code units, ends the reading. */
export const lineSizeLimit = 32 * 1024 * 1024

/**
 * Reads lines of JSON (`application/x-ndjson`). Characters and line ends may be split anywhere;
 * empty lines are ignored. A last line without its end counts when it is whole. A line of text is
 * `stray`; one that begins like a document and is none ends the reading.
 */
export function createJsonLinesReader(): StreamReader {
  const decoder = new TextDecoder()
  const stray = createStrayText()
  let pieces: string[] = []
  let size = 0
  let postponed: Error | undefined

  /**
   * The document of a line; nothing for an empty one, and for one that is none, which is thrown
   * later.
   */
  const documentOf = (line: string): readonly StreamDocument[] => {
    if (line.trim() === '') return []
    const parsed = parseJson(line)
    if (isObject(parsed)) return [{ data: parsed }]
    if (parsed === undefined && !/^\s*[{[]/.test(line)) stray.add(line)
    else postponed ??= unreadable(`A line of the stream is not a JSON object; it begins with “${line.trimStart().slice(0, 80)}”.`)
    return []
  }

  return {
    done: false,
    get stray() {
      return stray.text
    },
    feed(bytes) {
      if (postponed) throw postponed
      const documents: StreamDocument[] = []
      const lines = decoder.decode(bytes, { stream: true }).split('\n')
      const last = lines.pop() ?? ''
      for (const end of lines) {
        if (postponed) break
        documents.push(...documentOf(pieces.join('') + end))
        pieces = []
        size = 0
      }
      pieces.push(last)
      size += last.length
      if (size > lineSizeLimit) postponed ??= unreadable('A line of the stream is too large.')
      if (postponed && documents.length === 0) throw postponed
      return documents
    },
    end() {
      if (postponed) throw postponed
      const line = pieces.join('') + decoder.decode()
      pieces = []
      const rest = parseJson(line)
      if (!isObject(rest) && !/^\s*[{[]/.test(line)) stray.add(line)
      return isObject(rest) ? [{ data: rest }] : []
    },
  }
}
