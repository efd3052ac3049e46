/** Letters of other scripts that look like Latin ones, in small letters. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [...'аaвbеeкkмmнhоoрpсcтtуyхxіiїiјjѕsԁdԛqԝwһhӏlαaεeιiκkνvοoρpτtυuχxγyηnɑaɡgıi'.matchAll(/(.)(.)/gu)].map(([, other = '', latin = '']) => [
    other,
    latin,
  ]),
)

const invisible = /\p{Cf}|[\ufe00-\ufe0f]/gu

/** Without characters that have no glyph of their own: a word must not hide behind one. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

/**
 * A text as rules read it: in small letters, without accents and invisible characters, full-width and
 * look-alike letters as plain ones. Only for comparing: it does not have the length of the text.
 */
export const foldedText = (text: string): string =>
  withoutInvisible(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[\u0370-\u03ff\u0400-\u052f\u0131\u0251\u0261]/g, (letter) => lookalikes.get(letter) ?? letter)
