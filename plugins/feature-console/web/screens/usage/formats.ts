import { numberText } from '../../i18n/formats.js'
import { locale } from '../../i18n/language.js'

/** `$68.40`; small amounts keep the digits that say something. */
export const moneyText = (dollars: number): string =>
  numberText(dollars, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: dollars !== 0 && Math.abs(dollars) < 1 ? 4 : 2,
  })

export { compactText as amountText } from '../../i18n/formats.js'

export const shareText = (share: number): string => numberText(share, { style: 'percent', maximumFractionDigits: 0 })

/** `18 Nov`, of a day in UTC. */
export const dayText = (day: string): string =>
  day === '' ? '' : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))
