import type { SandboxOutput } from '@agent-service/sdk/services/sandbox'

/** Text of one stream. */
export interface OutputText {
  readonly stream: SandboxOutput['stream']
  /** The position of its first byte. */
  readonly from: number
  /** The position after its last byte. */
  readonly next: number
  readonly text: string
}

interface Carry {
  readonly from: number
  readonly bytes: Uint8Array
}

/**
 * Decodes pieces of output as UTF-8. A character that is divided between two pieces of a stream
 * comes with the second.
 */
export interface OutputDecoder {
  /** The text of the next piece; `undefined` if it has no whole character. */
  take(piece: SandboxOutput): OutputText | undefined
  /** Characters that never became whole, as U+FFFD. */
  rest(): readonly OutputText[]
}

export function createOutputDecoder(): OutputDecoder {
  const carries = new Map<SandboxOutput['stream'], Carry>()
  let end: number | undefined
  return {
    take({ stream, offset, bytes }) {
      // After a gap, what began before it cannot be continued.
      if (end !== undefined && offset !== end) carries.clear()
      end = offset + bytes.length
      const carry = carries.get(stream)
      const whole = carry === undefined ? bytes : Buffer.concat([carry.bytes, bytes])
      const length = whole.length - unfinishedLength(whole)
      const next = end - (whole.length - length)
      if (length < whole.length) carries.set(stream, { from: length === 0 && carry ? carry.from : next, bytes: whole.slice(length) })
      else carries.delete(stream)
      return length === 0 ? undefined : { stream, from: carry?.from ?? offset, next, text: textOf(whole.subarray(0, length)) }
    },
    rest() {
      const left = [...carries].map(([stream, { from, bytes }]) => ({ stream, from, next: from + bytes.length, text: textOf(bytes) }))
      carries.clear()
      return left
    },
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** How many bytes at the end are the beginning of a character: 0 to 3. */
export function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? back : 0
    }
  }
  return 0
}
