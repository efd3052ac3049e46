/** Letters that Unicode does not take apart, and how people write them who do not have the key. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ı: 'i' }

/** Accents of alphabets, and the vowel points of Hebrew and Arabic. Signs that make another letter stay. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]/gu

const letters = new RegExp(`[${Object.keys(spelled).join('')}]`, 'gu')

/** A text in the one form in which texts are compared: without case, accents and widths of letters. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(letters, (letter) => spelled[letter] ?? letter)
