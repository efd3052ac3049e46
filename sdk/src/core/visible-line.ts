/**
 * What a screen would carry out, reorder or not show: controls, formats, separators, halves of
 * surrogate pairs, fillers and selectors without a glyph, and the blank pattern of Braille.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * A command as one line that shows every character of it, so that a person sees what they approve:
 * a line feed is ⏎, other characters that a screen would hide are shown by their number.
 */
export const visibleLine = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\n', ' ⏎ ')
    .replaceAll('\t', ' ')
    .replace(unsafe, (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
