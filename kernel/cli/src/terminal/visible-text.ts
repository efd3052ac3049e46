/**
 * What a terminal would carry out, reorder or not show: C0, DEL, C1, bidirectional controls, line
 * and paragraph separators, interlinear annotations, and halves of surrogate pairs. Line feeds and
 * tabs are not among them.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const highSurrogate = /[\ud800-\udbff]$/

/**
 * The text with control characters made visible: C0 and DEL as control pictures (␛), others by
 * their number (<U+202E>). Line feeds and tabs stay; a CR before a line feed is dropped.
 */
export const visibleText = (text: string): string => text.replaceAll('\r\n', '\n').replace(unsafe, pictureOf)

/** {@link visibleText} in one line: line breaks and tabs become spaces. */
export const visibleLine = (text: string): string => visibleText(text.replace(/\r\n|[\n\r\t]/g, ' '))

/** JSON on which {@link visibleText} has no effect: what it would change is escaped. */
export const visibleJson = (value: unknown, indent?: number): string | undefined =>
  (JSON.stringify(value, null, indent) as string | undefined)?.replace(unsafe, escapeOf)

function pictureOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '␡' : `<U+${hex(code)}>`
}

const escapeOf = (character: string): string => `\\u${hex(character.charCodeAt(0)).toLowerCase()}`

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')

/** Makes text visible that arrives in pieces. */
export interface VisibleStream {
  /** The next piece; a character that may continue in the following one is held back. */
  take(text: string): string
  /** What was held back, as it is at the end of the text. */
  end(): string
}

/** Pieces may end within a surrogate pair, or between CR and LF. */
export function createVisibleStream(): VisibleStream {
  let held = ''
  return {
    take(text) {
      const all = held + text
      held = all.endsWith('\r') || highSurrogate.test(all) ? all.slice(-1) : ''
      return visibleText(held === '' ? all : all.slice(0, -1))
    },
    end() {
      const rest = visibleText(held)
      held = ''
      return rest
    },
  }
}
