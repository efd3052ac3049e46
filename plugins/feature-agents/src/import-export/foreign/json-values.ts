/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A text that is not empty. */
export const someText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The latest time that a date can have. */
const maxTime = 8_640_000_000_000_000

/**
 * A time in milliseconds: an RFC 3339 text, or a number of seconds or milliseconds since 1970.
 * Undefined for what is no time.
 */
export function timeOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : undefined
  const time =
    typeof value === 'string' ? Date.parse(value) : number === undefined || number < 100_000_000_000 ? (number ?? NaN) * 1_000 : number
  return Number.isFinite(time) && time > 0 && time <= maxTime ? Math.round(time) : undefined
}

/** Code as Markdown shows it, with a fence that its own lines do not end. */
export function fenced(code: string, language = ''): string {
  let longest = 2
  for (const [, mark = ''] of code.matchAll(/^[ \t]*(`{3,})/gm)) longest = Math.max(longest, mark.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${code}\n${fence}`
}
