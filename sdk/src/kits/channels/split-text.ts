import type { ChannelTextLimit } from '../../contracts/channel/declaration.js'
import { type CodeFence, codeFencesOf } from './code-fences.js'
import { mostUnits, textFits } from './text-length.js'

/** A part of a text, with what was put around it. */
export interface TextChunk {
  /** Opens a block of code again that the part before has closed; mostly empty. */
  readonly before: string
  /** The part itself. */
  readonly content: string
  /** Closes a block of code that goes on in the next part; mostly empty. */
  readonly after: string
}

/** How a text is split. */
export interface SplitOptions {
  /** What fits into one part. */
  readonly limit: ChannelTextLimit
  /** Whether blocks of code are closed at the end of a part and opened again in the next. Default true. */
  readonly markdown?: boolean
}

/**
 * The parts of a text that each fit into one message, in order; none of a blank text. They end after a
 * paragraph where they can, else after a line, a sentence, a word, and within a word only if it is
 * longer than a message, never within a character as people see it. Only a “character” that alone
 * exceeds the limit is cut, between code points. A block of code that is cut is closed and opened
 * again.
 */
export const splitText = (text: string, options: SplitOptions): readonly string[] =>
  chunksOf(text, options)
    .map(({ before, content, after }) => `${before}${content}${after}`)
    .filter((chunk) => chunk.trim() !== '')

/** How a text is shortened. */
export interface ShortenOptions extends SplitOptions {
  /** What stands at the end in place of the rest: `… https://town.example/s/1`. It has to leave room for a text. */
  readonly ending: string
}

/**
 * A text that fits into one message: as it is, or its beginning with the ending, cut where a part of
 * {@link splitText} would end. The ending stands outside of a block of code.
 */
export function shortenText(text: string, { limit, markdown = true, ending }: ShortenOptions): string {
  if (text.length <= mostUnits(limit) && textFits(text, limit)) return text
  const fences = markdown ? codeFencesOf(text) : []
  const { content, after } = nextChunk({ text, start: 0, limit, fences, ending })
  return after === '' ? `${content.trimEnd()}${ending}` : `${content}${after}\n${ending}`
}

/** The parts with what was put around them: the contents joined are the text. */
export function chunksOf(text: string, { limit, markdown = true }: SplitOptions): readonly TextChunk[] {
  const fences = markdown ? codeFencesOf(text) : []
  const chunks: TextChunk[] = []
  let start = 0
  let first = 0
  while (start < text.length) {
    // Only the blocks that reach into the part: a text may have very many.
    while ((fences[first]?.end ?? text.length) <= start && first < fences.length) first += 1
    let last = first
    while ((fences[last]?.start ?? Number.POSITIVE_INFINITY) <= start + mostUnits(limit)) last += 1
    const chunk = nextChunk({ text, start, limit, fences: fences.slice(first, last) })
    chunks.push(chunk)
    start += chunk.content.length
  }
  return chunks
}

interface Cut {
  readonly text: string
  readonly start: number
  readonly limit: ChannelTextLimit
  readonly fences: readonly CodeFence[]
  /** What stands behind the part. Only where the rest of the text does not. */
  readonly ending?: string
}

function nextChunk(cut: Cut): TextChunk {
  const { text, start, limit, fences, ending } = cut
  const before = openingAt(fences, start)
  const most = start + mostUnits(limit)
  if (ending === undefined && text.length <= most && textFits(before + text.slice(start), limit))
    return { before, content: text.slice(start), after: '' }
  const closings = fences.filter((fence) => fence.start < most).map(({ closing }) => `\n${closing}`)
  const reserve = closings.reduce((longest, each) => (each.length > longest.length ? each : longest), '')
  const closing = ending === undefined ? reserve : `${reserve}\n${ending}`
  const end = lastFitting(cut, Math.min(most, text.length), (content) => textFits(before + content + closing, limit))
  // Without room for anything beside the marks of the block, the text goes on without them.
  if (end <= start) return nextChunk({ ...cut, fences: [] })
  const at = besideFence(cut, breakBefore(text, start, end), before + (ending ?? ''))
  const fence = fences.find((each) => isInside(each, at) || isInOpening(each, at))
  const content = text.slice(start, at)
  return { before, content, after: fence === undefined ? '' : `${content.endsWith('\n') ? '' : '\n'}${fence.closing}` }
}

/** Within the content of a block, where it has to be closed and opened again. */
const isInside = ({ from, to }: CodeFence, at: number): boolean => at >= from && at <= to && to > from

/** Within the line that opens a block, which is longer than a part: what is left of it is the first line of the content. */
const isInOpening = ({ start, from }: CodeFence, at: number): boolean => at > start && at < from

/** What opens a block of code again, where a part begins. */
function openingAt(fences: readonly CodeFence[], at: number): string {
  const fence = fences.find((each) => isInside(each, at) || isInOpening(each, at))
  return fence === undefined ? '' : isInOpening(fence, at) ? `${fence.closing}\n` : fence.opening
}

/** The last end with which the content fits; at least one code point where no mark is around it. */
function lastFitting({ text, start, fences }: Cut, most: number, fits: (content: string) => boolean): number {
  let low = start
  let high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(text.slice(start, middle))) low = middle
    else high = middle - 1
  }
  const whole = isWithinPair(text, low) ? low - 1 : low
  if (whole > start) return whole
  return fences.length > 0 ? start : start + (isWithinPair(text, start + 1) ? 2 : 1)
}

function isWithinPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** Where a text may end, the best first, with the least part of the room that it has to fill. */
const borders: readonly (readonly [RegExp, number])[] = [
  [/\n[ \t]*\r?\n\s*/g, 0.5],
  [/\r?\n/g, 0.5],
  [/[.!?…]["'”’)\]]*\s+|[。！？]/g, 0.5],
  [/\s+/g, 0.5],
  [/\r?\n/g, 0],
  [/\s+/g, 0],
]

/** Made with the first long text: its data are no part of a start. */
let graphemes: Intl.Segmenter | undefined

/** The best place at which a part that begins at `start` ends, at most `end`. */
function breakBefore(text: string, start: number, end: number): number {
  const room = text.slice(start, end)
  // One character more shows whether the last one goes on.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const characters = graphemes.segment(text.slice(start, end + 32))
  const beginOf = (at: number): number => (start + at >= text.length ? at : (characters.containing(at)?.index ?? at))
  for (const [border, least] of borders) {
    const ends = [...room.matchAll(border)].map(({ 0: found, index }) => index + found.length)
    const best = ends.findLast((at) => at > 0 && at >= least * room.length && beginOf(at) === at)
    if (best !== undefined) return start + best
  }
  const last = beginOf(room.length)
  return last > 0 ? start + last : end
}

/** Moves an end out of the lines that open and close a block, and off its edges, where it can. */
function besideFence({ text, start, limit, fences }: Cut, at: number, before: string): number {
  for (const { start: opening, from, to, end } of fences) {
    if (at > opening && at <= from && opening > start) return opening
    if (at >= to && at < end && to > from) return textFits(before + text.slice(start, end), limit) ? end : Math.max(to, start + 1)
  }
  return at
}
