const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const controls = /(?![\n\t])\p{Cc}/gu
/** Without a glyph, and of no use in a text: they hide words from people that models read. */
const invisible = /[\u00ad\u061c\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
const halves = /\p{Cs}/gu

/**
 * The text as people see it: one kind of line end, no control or invisible characters, no halves of
 * characters. What joins letters and emoji, and marks of the direction of writing, stay.
 */
export const plainText = (text: string): string =>
  text.replace(lineEnds, '\n').replace(controls, '').replace(invisible, '').replace(halves, '\ufffd')

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim()
