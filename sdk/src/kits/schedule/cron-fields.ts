import type { Problem } from '../../core/errors.js'

interface CronField {
  readonly name: string
  readonly lowest: number
  readonly highest: number
  /** Names of values, the first for {@link firstNamed}. */
  readonly names: readonly string[]
  readonly firstNamed: number
  readonly example: string
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const fields: readonly CronField[] = [
  { name: 'minute', lowest: 0, highest: 59, names: [], firstNamed: 0, example: '0, 30 or */15' },
  { name: 'hour', lowest: 0, highest: 23, names: [], firstNamed: 0, example: '3, 8-18 or */2' },
  { name: 'day of the month', lowest: 1, highest: 31, names: [], firstNamed: 0, example: '1, 15 or L' },
  { name: 'month', lowest: 1, highest: 12, names: months, firstNamed: 1, example: '1, JAN or */3' },
  { name: 'day of the week', lowest: 0, highest: 7, names: days, firstNamed: 0, example: '1, MON-FRI or FRI#2' },
]

const nicknames: ReadonlySet<string> = new Set(['@hourly', '@daily', '@weekly', '@monthly', '@yearly'])
const longestExpression = 200

/**
 * The problems of an expression: each one has the field, the position of the character, and an
 * example. Empty when it can be read.
 */
export function checkCron(text: string): readonly Problem[] {
  const refuse = (message: string): readonly Problem[] => [{ path: '/cron', message }]
  if (text.length > longestExpression) return refuse(`must not have more than ${longestExpression} characters`)
  if (text.startsWith('@'))
    return nicknames.has(text) ? [] : refuse(`“${text}” is not known; use ${[...nicknames].join(', ')}, or five fields such as “0 3 * * *”`)
  const words = [...text.matchAll(/\S+/g)]
  if (words.length !== fields.length) {
    const seconds = words.length === 6 ? '; leave the seconds out, the finest step is a minute' : ''
    return refuse(
      `must have five fields (minute, hour, day of the month, month, day of the week) such as “0 3 * * *”, and has ${words.length}${seconds}`,
    )
  }
  return fields.flatMap((field, index) => checkField(field, words[index]?.[0] ?? '', words[index]?.index ?? 0))
}

function checkField(field: CronField, text: string, start: number): readonly Problem[] {
  let at = start
  return text.split(',').flatMap((item) => {
    const reason = problemOf(field, item)
    const position = at + 1
    at += item.length + 1
    if (reason === undefined) return []
    return [{ path: '/cron', message: `${field.name} (character ${position}): “${item}” ${reason}; write for example ${field.example}` }]
  })
}

function problemOf(field: CronField, item: string): string | undefined {
  if (item === '') return 'is empty: there is a comma too many'
  const [base = '', step, ...more] = item.split('/')
  if (more.length > 0) return 'has more than one step'
  if (step !== undefined && !isStep(step, field)) return `has the step “${step}”, which must be 1 to ${field.highest - field.lowest + 1}`
  if (base === '*') return undefined
  if (step === undefined && isSpecial(field, base)) return undefined
  const bounds = base.split('-')
  if (bounds.length > 2) return 'is not a range: it has more than one hyphen'
  const values = bounds.map((bound) => fieldValue(field, bound))
  const unknown = bounds.find((_, index) => values[index] === undefined)
  if (unknown !== undefined) return `has “${unknown}”, which must be ${valuesOf(field)}`
  if (bounds.length === 1 && step !== undefined) return 'has a step without a range'
  const [from = 0, to = from] = values
  return from > to ? `runs backwards; a range begins with the lower value, or write it as two with a comma between` : undefined
}

/** The last day of a month, and a certain weekday of it. */
function isSpecial(field: CronField, text: string): boolean {
  if (field.name === 'day of the month') return text.toUpperCase() === 'L'
  const [, day, place] = /^([^#]+)#([1-5]|L)$/i.exec(text) ?? []
  return field.name === 'day of the week' && day !== undefined && place !== undefined && fieldValue(field, day) !== undefined
}

const isStep = (text: string, field: CronField): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= field.highest - field.lowest + 1

function fieldValue(field: CronField, text: string): number | undefined {
  const named = field.names.indexOf(text.toUpperCase())
  if (named >= 0) return named + field.firstNamed
  if (!/^\d{1,2}$/.test(text)) return undefined
  const value = Number(text)
  return value >= field.lowest && value <= field.highest ? value : undefined
}

const valuesOf = ({ lowest, highest, names }: CronField): string =>
  `${lowest} to ${highest}${names.length > 0 ? ` or ${names[0]} to ${names.at(-1)}` : ''}`
