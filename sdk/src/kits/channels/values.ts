/** An object of a vendor, whose members are not checked yet. */
export type Values = Readonly<Record<string, unknown>>

/** The members of a value; none if it is no object. */
export const valuesOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

/** A text, or undefined. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The entries of a list; none if it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A JSON text as a value; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's error quotes the text, which may be private; callers say what is wrong.
    return undefined
  }
}
