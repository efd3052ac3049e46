import { numberText } from './formats.js'

/** `$68.40`; small amounts keep the digits that say something. */
export const moneyText = (dollars: number): string =>
  numberText(dollars, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: dollars !== 0 && Math.abs(dollars) < 1 ? 4 : 2,
  })
