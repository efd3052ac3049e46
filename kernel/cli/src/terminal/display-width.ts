const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Combining marks, joiners and variation selectors alone take no cell. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
/** Shown as emoji by default, or asked to be by U+FE0F, or a flag. */
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{2}/u

/** Ranges of code points that Unicode calls wide or full-width, emoji apart. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
]

/** How many cells of a terminal a text without control characters takes. */
export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment)
  return width
}

/** The text, shortened with “…” to take at most `width` cells. */
export function fitToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let taken = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    taken += segment
  }
  return width < 1 ? '' : `${taken}…`
}

function widthOf(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0
  if (code < 0x300) return emoji.test(grapheme) ? 2 : 1
  if (zeroWidth.test(grapheme)) return 0
  return emoji.test(grapheme) || wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)
