/** An object that came from outside: each member may be missing, or of any kind. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is an object, otherwise an empty one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const integerOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined)

/** A text for people as one line of at most `max` UTF-16 units; undefined if nothing is left of it. */
export function lineOf(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .slice(0, max * 2)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Cs}/gu, '')
  return line === '' ? undefined : line
}
