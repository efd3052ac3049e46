import { locale, numberText } from '@agent-service/sdk/web'

export const shareText = (share: number): string => numberText(share, { style: 'percent', maximumFractionDigits: 0 })

/** `18 Nov`, of a day in UTC. */
export const dayText = (day: string): string =>
  day === '' ? '' : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))
