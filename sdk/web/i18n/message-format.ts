import { zone } from './zone.js'

/** What a message may contain. */
export type MessageValues = Readonly<Record<string, string | number | Date>>

type Piece = string | ((values: MessageValues, locale: string, count: number | undefined) => string)

const parsed = new Map<string, readonly Piece[]>()

/**
 * Formats an ICU message: `{name}`, `{n, number}`, `{day, date}`, `{day, time}`, `{n, plural, one
 * {# file} other {# files}}` also with `=0`, and `{kind, select, a {…} other {…}}`. Quotes are
 * ordinary characters.
 */
export function formatMessage(message: string, values: MessageValues, locale: string): string {
  const pieces = parsed.get(message) ?? parse(message)
  parsed.set(message, pieces)
  return join(pieces, values, locale, undefined)
}

const join = (pieces: readonly Piece[], values: MessageValues, locale: string, count: number | undefined): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece(values, locale, count))).join('')

function parse(message: string): readonly Piece[] {
  const pieces: Piece[] = []
  let text = ''
  for (let at = 0; at < message.length; at += 1) {
    const character = message[at]
    if (character === '#') pieces.push(text, (_, locale, count) => (count === undefined ? '#' : numberText(count, locale)))
    else if (character === '{') {
      const end = closing(message, at)
      pieces.push(text, argument(message.slice(at + 1, end)))
      at = end
    } else {
      text += character
      continue
    }
    text = ''
  }
  return [...pieces, text]
}

function closing(message: string, from: number): number {
  let depth = 0
  for (let at = from; at < message.length; at += 1) {
    if (message[at] === '{') depth += 1
    if (message[at] === '}' && --depth === 0) return at
  }
  throw new SyntaxError(`The message “${message}” has a brace that is not closed.`)
}

function argument(source: string): Piece {
  const [name = '', kind, ...rest] = source.split(',').map((part, index) => (index < 2 ? part.trim() : part))
  if (kind === 'plural' || kind === 'select') return choice(name, kind, choices(rest.join(',')))
  return (values, locale) => valueText(values[name], kind, locale)
}

function choice(name: string, kind: 'plural' | 'select', options: ReadonlyMap<string, readonly Piece[]>): Piece {
  return (values, locale, outer) => {
    const value = values[name]
    const count = kind === 'plural' ? Number(value) : outer
    const key = kind === 'plural' ? new Intl.PluralRules(locale).select(Number(value)) : String(value)
    const chosen = (kind === 'plural' && options.get(`=${String(value)}`)) || options.get(key) || options.get('other') || []
    return join(chosen, values, locale, count)
  }
}

function choices(source: string): ReadonlyMap<string, readonly Piece[]> {
  const options = new Map<string, readonly Piece[]>()
  for (let at = source.indexOf('{'); at >= 0; ) {
    const end = closing(source, at)
    const key = source.slice(0, at).trim()
    options.set(key, parse(source.slice(at + 1, end)))
    source = source.slice(end + 1)
    at = source.indexOf('{')
  }
  return options
}

function valueText(value: string | number | Date | undefined, kind: string | undefined, locale: string): string {
  if (value === undefined) return ''
  if (kind === 'date' && typeof value !== 'string')
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone() }).format(value)
  if (kind === 'time' && typeof value !== 'string')
    return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone() }).format(value)
  return typeof value === 'number' ? numberText(value, locale) : String(value)
}

const numberText = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value)
