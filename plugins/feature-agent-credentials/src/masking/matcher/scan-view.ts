import { tailHash, tailLength, type ViewMatcher, type WholePattern } from './compile-matcher.js'
import { gramLength, hashAt, rolled } from './hashes.js'
import { partLength } from './patterns.js'
import type { Units } from './units.js'

/** A part of a text that is a secret, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
  /** The number of its credential. */
  readonly credential: number
}

/** What a view of a text has. */
export interface Scan {
  readonly spans: readonly Span[]
  /** Where the text begins that may go on as a secret; `undefined`: nowhere. */
  readonly pendingFrom: number | undefined
}

/** The text whose units are looked at. */
export interface ScannedText {
  readonly text: string
  /** Whether units stand for escapes in it. */
  readonly isDecoded: boolean
}

/** Finds the secrets in the units of a text that count in this view. Its time is linear in their number. */
export function scanView(units: Units, matcher: ViewMatcher, scanned: ScannedText): Scan {
  const spans = createSpans(units)
  const { bytes, length } = units
  const { wholes, wholeBegins, parts, partBegins } = matcher
  /** Up to where a pattern was compared already. */
  const compared = new Map<WholePattern, number>()
  let pending = length
  /** Hashes of the last windows, so that that of the first half of a part is at hand. */
  const hashes = new Int32Array(8)
  let hash = 0
  for (let end = gramLength; end <= length; end += 1) {
    const begin = end - gramLength
    hash = begin === 0 ? hashAt(bytes, 0) : rolled(hash, bytes[begin - 1] ?? 0, bytes[end - 1] ?? 0)
    hashes[end & 7] = hash
    if (end >= partLength) {
      const first = hashes[(end - gramLength) & 7] ?? 0
      if (partBegins.has(first)) {
        const credential = parts.find(first, hash)
        if (credential >= 0) spans.add(end - partLength, end, credential)
      }
    }
    if (!wholeBegins.has(hash)) continue
    for (const whole of wholes.get(hash) ?? []) {
      if (begin < (compared.get(whole) ?? 0)) continue
      const { next, openFrom } = compare(units, begin, whole, spans.add)
      compared.set(whole, next)
      pending = Math.min(pending, openFrom)
    }
  }
  pending = Math.min(pending, pendingPart(units, matcher, scanned))
  return { spans: spans.all(), pendingFrom: pending < length ? units.starts[pending] : undefined }
}

/**
 * Compares a text with a pattern from a place on at which it may begin, as long as it fits. `next`:
 * from where on it has to be looked for again. `openFrom`: where it begins without its end.
 */
function compare(
  { bytes, length }: Units,
  from: number,
  whole: WholePattern,
  found: (start: number, end: number, credential: number) => void,
): { readonly next: number; readonly openFrom: number } {
  const pattern = whole.bytes
  let fits = 0
  let at = from
  for (; at < length; at += 1) {
    while (fits > 0 && bytes[at] !== pattern[fits]) {
      fits = bordersOf(whole)[fits] ?? 0
      // What is shorter is found by its first bytes.
      if (fits < gramLength) return { next: at - fits, openFrom: length }
    }
    if (bytes[at] !== pattern[fits]) return { next: from + 1, openFrom: length }
    fits += 1
    if (fits < pattern.length) continue
    found(at + 1 - fits, at + 1, whole.credential)
    fits = bordersOf(whole)[fits] ?? 0
    if (fits < gramLength) return { next: at + 1 - fits, openFrom: length }
  }
  return { next: length, openFrom: length - fits }
}

function bordersOf(whole: WholePattern): Int32Array {
  if (whole.borders) return whole.borders
  const { bytes } = whole
  const borders = new Int32Array(bytes.length + 1)
  let border = 0
  for (let length = 2; length <= bytes.length; length += 1) {
    while (border > 0 && bytes[length - 1] !== bytes[border]) border = borders[border] ?? 0
    if (bytes[length - 1] === bytes[border]) border += 1
    borders[length] = border
  }
  whole.borders = borders
  return borders
}

/** Where the last bytes begin that may be the beginning of a pattern; their number if nowhere. */
function pendingPart({ bytes, starts, ends, length }: Units, { partBegins, tails }: ViewMatcher, scanned: ScannedText): number {
  const end = ends[length - 1] ?? 0
  for (let begin = Math.max(0, length - partLength + 1); begin < length; begin += 1) {
    const rest = length - begin
    if (rest < tailLength && isShown(starts[begin] ?? 0, end, scanned)) break
    if (rest >= gramLength ? partBegins.has(hashAt(bytes, begin)) : tails.has(tailHash(bytes, begin, Math.min(rest, tailLength))))
      return begin
  }
  return length
}

/**
 * Whether the end of a text is shown although a secret may begin there: a few characters are, with
 * the signs after them, as prompts and bars of progress have at their end. Where there are escapes,
 * such signs may be more of the secret.
 */
function isShown(start: number, end: number, { text, isDecoded }: ScannedText): boolean {
  if (!isDecoded) return end - start <= tailLength
  let visible = 0
  for (let at = start; at < text.length && visible <= tailLength; at += 1) if (text.charCodeAt(at) > 0x20) visible += 1
  return visible <= tailLength
}

/** Collects spans, joining those of one credential that overlap. */
function createSpans({ starts, ends }: Units) {
  const spans: Span[] = []
  return {
    add(first: number, end: number, credential: number): void {
      const start = starts[first] ?? 0
      const last = spans.at(-1)
      const span = { start, end: ends[end - 1] ?? 0, credential }
      if (last !== undefined && last.credential === credential && last.start <= start && start <= last.end)
        spans[spans.length - 1] = { ...last, end: Math.max(last.end, span.end) }
      else spans.push(span)
    },
    all: (): readonly Span[] => spans,
  }
}
