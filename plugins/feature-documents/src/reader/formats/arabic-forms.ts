const forms = /[\ufb50-\ufdff\ufe70-\ufefc]/
const letters = /[\u0600-\u06ff]/
const leftToRight = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}.,:/%-]*/gu

/** Whether a text has shapes of Arabic letters instead of the letters. */
export const hasArabicShapes = (text: string): boolean => forms.test(text)

/**
 * Some programs write Arabic into a PDF as the shapes of letters, from left to right as they are
 * drawn. Such a piece of text becomes letters in the order in which they are read. Any other text
 * stays as it is.
 */
export function readableArabic(text: string): string {
  if (!forms.test(text)) return text
  if (letters.test(text)) return text.replaceAll(/[\ufb50-\ufdff\ufe70-\ufefc]+/g, (run) => run.normalize('NFKC'))
  const reversed = [...text].reverse().join('')
  return reversed.replaceAll(leftToRight, (run) => [...run].reverse().join('')).normalize('NFKC')
}
