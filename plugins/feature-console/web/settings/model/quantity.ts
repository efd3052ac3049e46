import { locale } from '@agent-service/sdk/web'

type Scale = readonly { readonly names: RegExp; readonly factor: number; readonly unit: string }[]

const times: Scale = [
  { names: /^(weeks?|wochen?|w)$/, factor: 604_800_000, unit: 'week' },
  { names: /^(days?|tagen?|tage|tag|d)$/, factor: 86_400_000, unit: 'day' },
  { names: /^(hours?|stunden?|std|h)$/, factor: 3_600_000, unit: 'hour' },
  { names: /^(minutes?|minuten?|mins?|m)$/, factor: 60_000, unit: 'minute' },
  { names: /^(seconds?|sekunden?|secs?|sek|s)$/, factor: 1_000, unit: 'second' },
  { names: /^(milliseconds?|millisekunden?|ms)$/, factor: 1, unit: 'millisecond' },
]
const sizes: Scale = [
  { names: /^(tib|t)$/, factor: 1024 ** 4, unit: 'TiB' },
  { names: /^(gib|g)$/, factor: 1024 ** 3, unit: 'GiB' },
  { names: /^(mib|m)$/, factor: 1024 ** 2, unit: 'MiB' },
  { names: /^(kib|k)$/, factor: 1024, unit: 'KiB' },
  { names: /^tb$/, factor: 1e12, unit: 'TB' },
  { names: /^gb$/, factor: 1e9, unit: 'GB' },
  { names: /^mb$/, factor: 1e6, unit: 'MB' },
  { names: /^kb$/, factor: 1e3, unit: 'kB' },
  { names: /^(bytes?|b)$/, factor: 1, unit: 'B' },
]

/** The scales by the units of the schema, and how many of their smallest steps one of them has. */
const scales: Readonly<Record<string, { readonly scale: Scale; readonly step: number }>> = {
  milliseconds: { scale: times, step: 1 },
  seconds: { scale: times, step: 1_000 },
  days: { scale: times, step: 86_400_000 },
  bytes: { scale: sizes, step: 1 },
}

/**
 * Reads a number as people write it, also with a unit of time or size: `5 min` for a setting in
 * seconds is 300. `undefined` if it is none.
 */
export function readQuantity(text: string, unit: string | undefined): number | undefined {
  const [, digits = '', word = ''] = /^(-?\d+(?:[.,]\d+)?)\s*([a-zA-Z]*)$/.exec(text.trim()) ?? []
  if (digits === '') return undefined
  const number = Number(digits.replace(',', '.'))
  if (word === '') return number
  const { scale = [], step = 1 } = scales[unit ?? ''] ?? {}
  const found = scale.find(({ names }) => names.test(word.toLowerCase()))
  return found && Number(((number * found.factor) / step).toPrecision(12))
}

/** A number in larger units where that is easier to read, `7 days`; `undefined` where it is not. */
export function easierText(value: number, unit: string | undefined): string | undefined {
  const { scale = [], step = 1 } = scales[unit ?? ''] ?? {}
  const whole = value * step
  const fits = scale.find(({ factor }) => factor > step && whole >= factor && Number.isInteger((whole / factor) * 10))
  if (!fits || value <= 0) return undefined
  const amount = whole / fits.factor
  if (scale === sizes) return `${new Intl.NumberFormat(locale()).format(amount)} ${fits.unit}`
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: fits.unit, unitDisplay: 'long' }).format(amount)
}
