import type { PlacedSecret } from './found-secret.js'

const digits = /(?<![\d.,/-])[2-6]\d{3}(?:[ -]?\d){11,15}(?![\d]|[-.,/]\d)/g

/** How numbers of cards begin, and how long they are then. */
const brands: readonly RegExp[] = [
  /^4\d{15}(?:\d{3})?$/,
  /^(?:5[1-5]|2[2-7])\d{14}$/,
  /^3[47]\d{13}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^6(?:011|4[4-9]\d|5\d{2})\d{12}(?:\d{3})?$/,
]

/** Numbers of payment cards: by how they begin, their length and their check digit. */
export const findCards = (text: string): readonly PlacedSecret[] =>
  [...text.matchAll(digits)].flatMap(({ 0: value, index }) => {
    const plain = value.replace(/[ -]/g, '')
    return brands.some((brand) => brand.test(plain)) && hasCheckDigit(plain) ? [{ kind: 'card' as const, value, index }] : []
  })

/** The formula of Luhn. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
