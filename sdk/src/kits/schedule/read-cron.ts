import type { Problem } from '../../core/errors.js'
import { type CronField, cronFields, readItem } from './cron-fields.js'

/** Either member is there, never both. `expression` is what croner reads. */
export type CronReading =
  | { readonly expression: string; readonly problems?: undefined }
  | { readonly expression?: undefined; readonly problems: readonly Problem[] }

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@hourly', '@hourly'],
  ['@daily', '@daily'],
  ['@midnight', '@daily'],
  ['@weekly', '@weekly'],
  ['@monthly', '@monthly'],
  ['@yearly', '@yearly'],
  ['@annually', '@yearly'],
])
const maxExpressionLength = 200
/** The hyphens, dashes and the minus that word processors write between two days. */
const dashes = /[\p{Pd}\u2212]/gu

/**
 * Reads an expression. Each problem has the field, the position of the character, and an example or
 * what to write instead. Dashes are read as hyphens, and any white space separates fields.
 */
export function readCron(text: string): CronReading {
  const refuse = (message: string): CronReading => ({ problems: [{ path: '/cron', message }] })
  if (text.length > maxExpressionLength) return refuse(`must not have more than ${maxExpressionLength} characters`)
  const plain = text.replaceAll(dashes, '-')
  const invisible = /(?!\ufeff)\p{Cf}/u.exec(plain)
  if (invisible) return refuse(`has an invisible character (${codePointOf(invisible[0])}) as character ${invisible.index + 1}; delete it`)
  const trimmed = plain.trim()
  const [, quoted] = /^["'`\p{Pi}\p{Pf}„‚](.*)["'`\p{Pi}\p{Pf}]$/u.exec(trimmed) ?? []
  if (quoted !== undefined) return refuse(`is in quotation marks; write “${quoted}”`)
  if (/^(?:cron|rate|at)\(/i.test(trimmed))
    return refuse('is written for AWS; write five fields alone, with names of days, since AWS numbers them otherwise: “0 3 * * MON-FRI”')
  if (trimmed.startsWith('@')) {
    const expression = nicknames.get(trimmed.toLowerCase())
    if (expression !== undefined) return { expression }
    return refuse(`“${trimmed}” is not known; use ${[...nicknames.keys()].join(', ')}, or five fields such as “0 3 * * *”`)
  }
  const [zone] = /^(?:CRON_)?TZ=\S*/i.exec(trimmed) ?? []
  if (zone !== undefined) return refuse(`has its time zone in it; leave “${zone}” out, and name the zone as the time zone of the schedule`)
  const words = [...plain.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index }))
  if (words.length !== cronFields.length) return refuse(miscounted(words.map((word) => word.text)))
  const fields = cronFields.map((field, index) => readField(field, words[index]?.text ?? '', words[index]?.start ?? 0))
  const problems = fields.flatMap((field) => field.problems)
  return problems.length > 0 ? { problems } : { expression: fields.map(({ expression }) => expression).join(' ') }
}

const codePointOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

function miscounted(words: readonly string[]): string {
  const needed = 'must have five fields (minute, hour, day of the month, month, day of the week) such as “0 3 * * *”, and has'
  const behind = words.slice(cronFields.length)
  if (behind.some((word) => !/^[\p{L}\d*?#,/-]+$/u.test(word) || /^\/\D/.test(word)))
    return `${needed} more behind them; leave “${behind.join(' ')}” out`
  const joined = words.join(' ').replaceAll(/ ?([,/-]) ?/g, '$1')
  if (behind.length > 0 && joined.split(' ').length === cronFields.length)
    return `has a blank beside a comma, a hyphen or a slash; write “${joined}”`
  if (words.length === 6 && /^\d{4}$/.test(words[5] ?? '')) return `${needed} 6; leave the year out: “${words.slice(0, 5).join(' ')}”`
  const within = words.slice(1, 6).map((word) => word.replace('?', '*'))
  if (words.length === 6 && isReadable(within))
    return `${needed} 6; leave the seconds out, the finest step is a minute: “${within.join(' ')}”`
  if (words.length === 7 && isReadable(within)) return `${needed} 7; leave the seconds and the year out: “${within.join(' ')}”`
  if (behind.length > 0 && isReadable(words)) return `${needed} more behind them; leave “${behind.join(' ')}” out`
  return `${needed} ${words.length}`
}

/** Whether the first five words are fields: what is proposed must be right. */
const isReadable = (words: readonly string[]): boolean =>
  cronFields.every((field, index) => readField(field, words[index] ?? '', 0).problems.length === 0)

/** `start`: where the field begins in the expression, from 0. */
function readField(field: CronField, text: string, start: number): { readonly expression: string; readonly problems: readonly Problem[] } {
  let at = start
  const problems: Problem[] = []
  const items = text.split(',').map((item) => {
    const reading = readItem(field, item)
    if (reading.reason !== undefined) {
      const cure = reading.cure === undefined ? `write for example ${field.example}` : `write “${reading.cure}”`
      problems.push({ path: '/cron', message: `${field.name} (character ${at + 1}): “${item}” ${reading.reason}; ${cure}` })
    }
    at += item.length + 1
    return reading.text ?? item
  })
  return { expression: items.join(','), problems }
}
