import { isUtf8 } from 'node:buffer'
import type { MaskedPart, SecretMask } from '@agent-service/sdk/services/agent-credentials'
import { unfinishedLength } from '../routes/output-decoder.js'

/** What a page gets of the output of a terminal. */
export type ShownOutput =
  /** Bytes as the process wrote them. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** What stands for a secret. The output goes on at `next`. */
  | { readonly kind: 'masked'; readonly text: string; readonly next: number }

/** Bytes whose text is known. */
interface Segment {
  readonly bytes: Uint8Array
  readonly text: string
}

/**
 * Masks output whose reader counts its bytes: without a secret each byte is shown as it is, also
 * those that are no text.
 * @param start - The position of the first byte that is taken.
 * @param from - The position of the first byte that is shown: what is before it only helps to find a
 *   secret that goes on after it.
 */
export function createShownOutput(mask: SecretMask, { start, from }: { readonly start: number; readonly from: number }) {
  /** What was taken and is not decided, as far as its characters are whole. */
  const segments: Segment[] = []
  /** The position of the first byte in `segments`. */
  let position = start
  let unfinished: Uint8Array = new Uint8Array()

  const read = (bytes: Uint8Array): string => {
    const added = segmentsOf(bytes)
    for (const segment of added) segments.push(segment)
    return added.map(({ text }) => text).join('')
  }
  const decided = (parts: readonly MaskedPart[]): readonly ShownOutput[] => {
    const shown: ShownOutput[] = []
    for (const part of parts) {
      const taken = takeUnits(segments, part.length)
      const begin = position
      position += taken.bytes.length
      if (position <= Math.max(from, begin)) continue
      if (part.shown !== taken.text) shown.push({ kind: 'masked', text: part.shown, next: position })
      else shown.push({ kind: 'bytes', bytes: taken.bytes.subarray(Math.max(0, from - begin)) })
    }
    return shown
  }
  return {
    /** What can be shown now. What may be the beginning of a secret waits. */
    take(bytes: Uint8Array): readonly ShownOutput[] {
      const all = new Uint8Array(Buffer.concat([unfinished, bytes]))
      const length = all.length - unfinishedLength(all)
      unfinished = all.subarray(length)
      return decided(mask.takeParts(read(all.subarray(0, length))))
    },
    /** What waits. Nothing may be taken after it. */
    end(): readonly ShownOutput[] {
      const shown = decided(mask.takeParts(read(unfinished)))
      return [...shown, ...decided(mask.endParts())]
    },
  }
}

/** Text as it is; each byte that belongs to no character by itself, as U+FFFD. */
function segmentsOf(bytes: Uint8Array): readonly Segment[] {
  if (bytes.length === 0) return []
  if (isUtf8(bytes)) return [{ bytes, text: textOf(bytes) }]
  const segments: Segment[] = []
  let begin = 0
  const addText = (end: number): void => {
    if (end > begin) segments.push({ bytes: bytes.subarray(begin, end), text: textOf(bytes.subarray(begin, end)) })
  }
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    if (length === 0) {
      addText(at)
      segments.push({ bytes: bytes.subarray(at, at + 1), text: '\ufffd' })
      begin = at + 1
    }
    at += Math.max(1, length)
  }
  addText(bytes.length)
  return segments
}

/** How many bytes the character at a place has; 0: there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

/** Takes the first UTF-16 code units off segments. Half a character has no bytes: they come with its other half. */
function takeUnits(segments: Segment[], count: number): Segment {
  const bytes: Uint8Array[] = []
  let text = ''
  let whole = 0
  while (text.length < count) {
    const segment = segments[whole]
    if (segment === undefined) throw new RangeError(`a mask decided ${count} code units, of which only ${text.length} were taken`)
    const units = count - text.length
    if (segment.text.length <= units) {
      bytes.push(segment.bytes)
      text += segment.text
      whole += 1
    } else {
      const length = lengthOf(segment.text.slice(0, units))
      bytes.push(segment.bytes.subarray(0, length))
      text += segment.text.slice(0, units)
      segments[whole] = { bytes: segment.bytes.subarray(length), text: segment.text.slice(units) }
    }
  }
  segments.splice(0, whole)
  return { bytes: Buffer.concat(bytes), text }
}

/** The bytes of a text that may begin and end with half a character. */
function lengthOf(text: string): number {
  const whole = text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
  return Buffer.byteLength(whole) + (/^[\udc00-\udfff]/.test(text) ? 4 : 0)
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
