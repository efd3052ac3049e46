import type { Matcher } from './compile-matcher.js'
import { decodeEscapes, decodeQuotedPrintable, hasEscapes, hasQuotedPrintable } from './decode-escapes.js'
import { type Scan, type Span, scanView } from './scan-view.js'
import { type Units, unitsOf } from './units.js'
import { unitsInView } from './views.js'

/** How often escapes are replaced: what was encoded twice is found. */
const maxDecodings = 2

/**
 * Finds secrets in a text, as it is and decoded. The spans are in order, and do not overlap. Unless
 * the text is `final`, it may go on.
 */
export function scanText(text: string, matcher: Matcher, final: boolean): Scan {
  if (matcher.views.length === 0) return { spans: [], pendingFrom: undefined }
  const spans: Span[] = []
  let pendingFrom: number | undefined
  const [plain, ...decoded] = decodingsOf(text, final)
  for (const units of [plain, ...decoded])
    for (const view of matcher.views) {
      const scan = scanView(unitsInView(units, view.view, text.length), view, { text, isDecoded: units !== plain })
      for (const span of scan.spans) spans.push(span)
      if (scan.pendingFrom !== undefined) pendingFrom = Math.min(pendingFrom ?? scan.pendingFrom, scan.pendingFrom)
    }
  return { spans: joined(spans), pendingFrom: final ? undefined : pendingFrom }
}

/** The text as it is, and decoded where something in it can be. */
function decodingsOf(text: string, final: boolean): readonly [Units, ...Units[]] {
  const plain = unitsOf(text, final)
  const decodings: [Units, ...Units[]] = [plain]
  if (hasEscapes(text)) {
    let units: Units | undefined = plain
    for (let time = 0; time < maxDecodings; time += 1) {
      units = decodeEscapes(units, final)
      if (units === undefined) break
      decodings.push(units)
    }
  }
  if (hasQuotedPrintable(text)) {
    const units = decodeQuotedPrintable(plain, final)
    if (units !== undefined) decodings.push(units)
  }
  return decodings
}

/** In order, those that overlap as one, which has the name of the longest. */
function joined(spans: Span[]): readonly Span[] {
  const ordered = spans.sort((one, other) => one.start - other.start || other.end - one.end)
  const all: (Span & { longest: number })[] = []
  for (const span of ordered) {
    const last = all.at(-1)
    const length = span.end - span.start
    if (last === undefined || span.start >= last.end) all.push({ ...span, longest: length })
    else {
      const isLonger = length > last.longest
      all[all.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        credential: isLonger ? span.credential : last.credential,
        longest: Math.max(length, last.longest),
      }
    }
  }
  return all
}
