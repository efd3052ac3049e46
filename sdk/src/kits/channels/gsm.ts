/** The alphabet of text messages, 3GPP TS 23.038, section 6.2.1: each takes 7 bits. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Its extension, section 6.2.1.1: each takes twice 7 bits. */
const extension = new Set('\f^{}\\[~]|€')

/** Units in one message, and in each of several, which have a header. */
const sizes = { gsm7: { single: 160, each: 153 }, ucs2: { single: 70, each: 67 } } as const

/**
 * How many segments a text takes as a text message by telephone; 0 if it is empty. One character that
 * is not of GSM-7 makes all of them UCS-2. No character stands in two segments.
 */
export function segmentsOf(text: string): number {
  const costs = costsOf(text)
  const { single, each } = costs.isGsm7 ? sizes.gsm7 : sizes.ucs2
  if (costs.total <= single) return costs.total === 0 ? 0 : 1
  let segments = 1
  let used = 0
  for (const character of text) {
    const cost = costs.isGsm7 ? (basic.has(character) ? 1 : 2) : character.length
    if (used + cost > each) {
      segments += 1
      used = 0
    }
    used += cost
  }
  return segments
}

function costsOf(text: string): { readonly isGsm7: boolean; readonly total: number } {
  let total = 0
  for (const character of text) {
    if (basic.has(character)) total += 1
    else if (extension.has(character)) total += 2
    else return { isGsm7: false, total: text.length }
  }
  return { isGsm7: true, total }
}

const similar: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '…': '...',
  '•': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
  '\t': ' ',
}

/**
 * The same text with the quotation marks, dashes and spaces of GSM-7 in place of typographic ones,
 * which would more than halve what fits into a segment.
 */
export const toGsmCharacters = (text: string): string =>
  text.replace(/[‘’‚“”„–—‐‑…•\u00a0\u202f\u2009\t]/g, (found) => similar[found] ?? found)
