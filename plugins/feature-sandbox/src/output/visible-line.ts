/** What a screen would carry out, reorder or not show, and halves of surrogate pairs. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * A command as one line that shows every character of it, so that a person sees what they approve:
 * a line feed is ⏎, other characters that a screen would hide are shown by their number.
 */
export const visibleLine = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\n', ' ⏎ ')
    .replaceAll('\t', ' ')
    .replace(unsafe, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)
