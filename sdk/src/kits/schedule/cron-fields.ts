export interface CronField {
  readonly name: string
  readonly lowest: number
  readonly highest: number
  /** Names of values, the first for {@link firstNamed}. */
  readonly names: readonly string[]
  readonly firstNamed: number
  /** How many values a circle has that a range may go around; absent: ranges end at {@link highest}. */
  readonly circle?: number
  readonly example: string
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const daysInWeek = 7

export const cronFields: readonly CronField[] = [
  { name: 'minute', lowest: 0, highest: 59, names: [], firstNamed: 0, example: '0, 30 or */15' },
  { name: 'hour', lowest: 0, highest: 23, names: [], firstNamed: 0, example: '3, 8-18 or */2' },
  { name: 'day of the month', lowest: 1, highest: 31, names: [], firstNamed: 0, example: '1, 15 or L' },
  { name: 'month', lowest: 1, highest: 12, names: months, firstNamed: 1, circle: 12, example: '1, JAN or */3' },
  { name: 'day of the week', lowest: 0, highest: 7, names: days, firstNamed: 0, circle: daysInWeek, example: '1, MON-FRI or FRI#2' },
]

/** An item of a field as croner reads it, or why it cannot be read. */
export type CronItem =
  | { readonly text: string; readonly reason?: undefined }
  | { readonly text?: undefined; readonly reason: string; readonly cure?: string }

/** Reads a value, a range, a step or a special day. `item` has no comma. */
export function readItem(field: CronField, item: string): CronItem {
  if (item === '') return { reason: 'is empty: there is a comma too many' }
  const foreign = foreignMark(field, item)
  if (foreign) return foreign
  const [base = '', step, ...more] = item.split('/')
  if (more.length > 0) return { reason: 'has more than one step' }
  if (step !== undefined && !isStep(step, field)) return { reason: `has the step “${step}”, which must be 1 to ${valuesIn(field)}` }
  if (base === '*') return { text: item }
  if (step === undefined && isSpecial(field, base)) return { text: item }
  const bounds = base.split('-')
  if (bounds.length > 2) return { reason: 'is not a range: it has more than one hyphen' }
  if (bounds.includes('')) return { reason: 'is a range without its beginning or its end' }
  const values = bounds.map((bound) => fieldValue(field, bound))
  const unknown = bounds.find((_, index) => values[index] === undefined)
  if (unknown !== undefined) return unknownValue(field, unknown)
  const [from = 0, to] = values
  if (to === undefined) {
    if (step === undefined) return { text: item }
    return { reason: 'has a step without a range', cure: `${base}-${/^\d/.test(base) ? lastOf(field) : field.names.at(-1)}/${step}` }
  }
  return readRange(field, {
    from,
    to: isSunday(field, to) && from > 0 ? daysInWeek : to,
    step: step === undefined ? undefined : Number(step),
  })
}

interface CronRange {
  readonly from: number
  readonly to: number
  /** As it was written: with a step, even of 1, minutes and hours go by the clock on the wall. */
  readonly step: number | undefined
}

/**
 * Days of the week and months go on after their last one. Hours do not: whether those after midnight
 * belong to the same day or to the next would be a guess.
 */
function readRange(field: CronField, { from, to, step }: CronRange): CronItem {
  const { circle, lowest } = field
  if (from <= to) return { text: `${from}-${to}${step === undefined ? '' : `/${step}`}` }
  if (circle !== undefined) {
    const values = []
    for (let value = from; value <= to + circle; value += step ?? 1) values.push(((value - lowest) % circle) + lowest)
    return { text: values.join(',') }
  }
  const last = lastOf(field)
  const rest = `${lowest}${to === lowest ? '' : `-${to}`}`
  const cure = step === undefined || step === 1 ? `${from}${from === last ? '' : `-${last}`},${rest}` : undefined
  const reason = `runs backwards; a range begins with the lower value${field.name === 'hour' ? ', and the hours after midnight belong to the next day' : ''}`
  return cure === undefined ? { reason: `${reason}; list the values with commas between` } : { reason, cure }
}

/** What other kinds of cron have, and these schedules do not. */
function foreignMark(field: CronField, item: string): CronItem | undefined {
  if (item === '?')
    return { reason: 'is a mark of Quartz; name days of the week (MON), since Quartz numbers them from 1 for Sunday', cure: '*' }
  if (field.name === 'day of the month' && /^(\d{1,2}|L)-?W$/i.test(item))
    return { reason: 'asks for the nearest working day, which is not supported' }
  if (field.name === 'day of the month' && /^L-\d{1,2}$/i.test(item))
    return { reason: 'counts back from the last day, which is not supported; “L” is the last day' }
  if (field.name !== 'day of the week') return undefined
  const [, day] = /^(.+)L$/i.exec(item) ?? []
  if (day !== undefined && fieldValue(field, day) !== undefined)
    return {
      reason: 'is how Quartz writes the last such day of the month; name the day, since Quartz numbers them from 1 for Sunday',
      cure: 'FRI#L',
    }
  const [, named] = /^([^#]+)#.*$/.exec(item) ?? []
  if (named !== undefined && fieldValue(field, named) !== undefined && !isSpecial(field, item))
    return { reason: 'must have 1 to 5 or L behind “#”: which one of the month it is' }
  return undefined
}

function unknownValue(field: CronField, value: string): CronItem {
  const reason = `has “${value}”, which must be ${field.lowest} to ${field.highest}${field.names.length > 0 ? ` or ${field.names[0]} to ${field.names.at(-1)}` : ''}`
  const short =
    /^\p{L}{4,}\.?$/u.test(value) || value.endsWith('.') ? field.names.find((name) => value.toUpperCase().startsWith(name)) : undefined
  if (short !== undefined) return { reason: `has “${value}”; names have three letters`, cure: short }
  const isName = field.names.length > 0 && /^\p{L}/u.test(value)
  return { reason: isName ? `${reason}; the names are ${field.names.join(', ')}` : reason }
}

/** The last day of a month, and a certain weekday of it. */
function isSpecial(field: CronField, text: string): boolean {
  if (field.name === 'day of the month') return text.toUpperCase() === 'L'
  const [, day, place] = /^([^#]+)#([1-5]|L)$/i.exec(text) ?? []
  return field.name === 'day of the week' && day !== undefined && place !== undefined && fieldValue(field, day) !== undefined
}

const isSunday = (field: CronField, value: number): boolean => field.name === 'day of the week' && value % daysInWeek === 0
const valuesIn = ({ lowest, highest }: CronField): number => highest - lowest + 1
/** The last value before the field begins again: SAT, not the second number of Sunday. */
const lastOf = ({ lowest, highest, circle }: CronField): number => (circle === undefined ? highest : lowest + circle - 1)

const isStep = (text: string, field: CronField): boolean => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= valuesIn(field)

function fieldValue(field: CronField, text: string): number | undefined {
  const named = field.names.indexOf(text.toUpperCase())
  if (named >= 0) return named + field.firstNamed
  if (!/^\d{1,2}$/.test(text)) return undefined
  const value = Number(text)
  return value >= field.lowest && value <= field.highest ? value : undefined
}
