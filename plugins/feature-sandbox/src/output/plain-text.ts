/** Turns the bytes of a program's output into text, piece by piece. */
export interface PlainTextStream {
  /** The next piece; what may continue in the following one is held back. */
  take(bytes: Uint8Array): string
  /** What was held back, at the end of the output. */
  end(): string
}

/** The longest escape sequence that is waited for. */
const maxEscape = 4_096

/**
 * CSI, strings (OSC, DCS, PM, APC, SOS) up to BEL or ST, and the other sequences of ECMA-48; also
 * what another character breaks off.
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
  /\u001b(?:\[[0-?]*(?:[ -/]*(?:[@-~]|(?=[^ -~]))|[ -/]+(?=[0-?]))|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|(?=\u001b[^\\]))|[ -/]*(?:[0-OQ-WYZ`-~\\]|(?=[^ -~]))|[ -/]+[P[-_X])/g
const unfinished =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
  /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * UTF-8 with U+FFFD for what is none, without escape sequences and control characters. Line feeds,
 * tabs and carriage returns stay; CR LF becomes LF.
 */
export function createPlainText(): PlainTextStream {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let begun = ''
  let returned = ''

  const clean = (text: string, isLast: boolean): string => {
    const whole = (begun + text).replace(escapes, '')
    begun = isLast ? '' : (unfinished.exec(whole.slice(-maxEscape))?.[0] ?? '')
    const shown = returned + whole.slice(0, whole.length - begun.length).replace(controls, '')
    returned = !isLast && shown.endsWith('\r') ? '\r' : ''
    return shown.slice(0, shown.length - returned.length).replaceAll('\r\n', '\n')
  }
  return {
    take: (bytes) => clean(decoder.decode(bytes, { stream: true }), false),
    end: () => clean(decoder.decode(), true),
  }
}

/** What each line shows at its end: text before a carriage return was written over. */
export const withoutOverwritten = (text: string): string =>
  text.includes('\r')
    ? text
        .split('\n')
        .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
        .join('\n')
    : text

/**
 * How many of these bytes can be shown without the ones that follow: all but a character or an
 * escape sequence that has begun at their end.
 */
export function wholeBytes(bytes: Uint8Array): number {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-maxEscape)
  const begun = unfinished.exec(tail.toString('latin1'))
  if (begun) return bytes.byteLength - begun[0].length
  for (let back = 1; back <= Math.min(3, tail.length); back += 1) {
    const byte = tail[tail.length - back] ?? 0
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? bytes.byteLength - back : bytes.byteLength
    if (byte < 0x80) break
  }
  return bytes.byteLength
}

const lengthOfCharacter = (first: number): number => (first >= 0xf8 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2)

/** These bytes without continuations of a character that began before them. */
export function fromWholeCharacter(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}
