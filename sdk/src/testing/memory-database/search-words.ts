import type { SearchTerm } from '../../contracts/database-driver/index.js'

/** The words of a text in the form that is compared: without case, accents and widths. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A person's input as terms: words, and phrases in quotation marks. The last may be a prefix. */
export function termsOf(text: string): readonly SearchTerm[] {
  const terms = [...text.slice(0, 1_000).matchAll(/"([^"]*)"?|[^\s"]+/g)].flatMap(([whole, phrase]) => {
    const words = wordsOf(phrase ?? whole)
    return words.length === 0 ? [] : [{ words, prefix: false }]
  })
  const last = terms.at(-1)
  return last === undefined ? [] : [...terms.slice(0, -1), { words: last.words, prefix: !text.trimEnd().endsWith('"') }]
}

/** The texts at a path of a document; a path goes through lists. */
export function textsAt(value: unknown, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => textsAt(each, path))
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return textsAt((value as Readonly<Record<string, unknown>>)[name], rest)
}

/**
 * A time as milliseconds: a number, an RFC 3339 text or a UUID of version 7. Any other value counts
 * as the oldest.
 */
export function timeOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return 0
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(value)) return Number.parseInt(value.replace('-', '').slice(0, 12), 16)
  const time = Date.parse(value)
  return Number.isNaN(time) ? 0 : time
}
