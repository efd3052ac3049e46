import { TextDecoder } from 'node:util'
import { tooCostly, unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import type { TextSink } from '../common/text-sink.js'

const maxDepth = 1_000

/** Groups whose content is not the text of the document. */
const unseen: ReadonlySet<string> = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'listtable', 'listoverridetable', 'rsidtbl', 'generator', 'pict', 'object', 'themedata'],
  ...['colorschememapping', 'latentstyles', 'datastore', 'xmlnstbl', 'fldinst', 'header', 'footer', 'headerl', 'headerr', 'footerl'],
  ...['footerr', 'filetbl', 'revtbl', 'mmathPr', 'info', 'nonshppict', 'bkmkstart', 'bkmkend', 'atnid', 'atnauthor', 'annotation'],
])

const symbols: Readonly<Record<string, string>> = {
  ...{ par: '\n', line: '\n', sect: '\n\n', page: '\n\n', row: '\n', cell: '\t', tab: '\t', emdash: '—', endash: '–' },
  ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•', '~': '\u00a0', _: '-' },
}

/** A group between braces: whether its text counts, and how many bytes stand for a Unicode character. */
interface Group {
  seen: boolean
  fallback: number
}

/** A text of an older word processor. Its layout is left out. */
export const readRtf: ReadFormat = async ({ bytes, sink }) => {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  readGroups(source, sink)
  return {}
}

function readGroups(source: string, sink: TextSink): void {
  // One step at a time: a control word, an escaped byte, a symbol, a brace, or plain text.
  const step = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}]+)/gy
  const groups: Group[] = [{ seen: true, fallback: 1 }]
  let decoder = new TextDecoder('windows-1252')
  let pending: number[] = []
  let toSkip = 0
  const write = (text: string): void => {
    const group = groups.at(-1)
    if (group?.seen === true) sink.add(text)
  }
  const flush = (): void => {
    if (pending.length > 0) write(decoder.decode(Uint8Array.from(pending)))
    pending = []
  }
  for (let match = step.exec(source); match !== null && !sink.full; match = step.exec(source)) {
    const [, word, parameter, hex, symbol, brace, plain] = match
    const group = groups.at(-1)
    if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1
      else if (group?.seen === true && pending.length < 100_000) pending.push(Number.parseInt(hex, 16))
      continue
    }
    flush()
    if (brace === '{') {
      if (groups.length > maxDepth) throw tooCostly(`${maxDepth.toLocaleString('en')} levels of nesting`)
      groups.push({ seen: group?.seen ?? true, fallback: group?.fallback ?? 1 })
      toSkip = 0
    } else if (brace === '}') {
      if (groups.length === 1) throw unreadable('its braces do not match')
      groups.pop()
      toSkip = 0
    } else if (plain !== undefined) {
      const text = plain.replaceAll(/[\r\n]/g, '')
      write(text.slice(toSkip))
      toSkip = Math.max(0, toSkip - text.length)
    } else if (symbol !== undefined) {
      if (symbol === '*' && group) group.seen = false
      else if ('\\{}'.includes(symbol)) write(symbol)
      else if (symbol === '\n' || symbol === '\r') write('\n')
      else write(symbols[symbol] ?? '')
    } else if (word === 'u' && parameter !== undefined) {
      write(String.fromCharCode(Number(parameter) & 0xffff))
      toSkip = group?.fallback ?? 1
    } else if (word === 'uc' && group) group.fallback = Math.min(10, Math.max(0, Number(parameter ?? 1)))
    else if (word === 'ansicpg') decoder = decoderOf(Number(parameter))
    else if (word !== undefined && unseen.has(word) && group) group.seen = false
    else if (word !== undefined && Object.hasOwn(symbols, word)) write(symbols[word] ?? '')
  }
  flush()
}

function decoderOf(codePage: number): TextDecoder {
  const names: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    65001: 'utf-8',
    10000: 'macintosh',
  }
  try {
    return new TextDecoder(names[codePage] ?? `windows-${codePage}`)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder('windows-1252')
  }
}
