/** Any JSON of a server. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/** An object of a server's JSON. */
export type Answer = { readonly [name: string]: Json | undefined }

const maxDepth = 64

/** Old servers write `Name`, new ones `name`: the same with small first letters. Deeper than any answer it ends. */
export function camelCased(value: unknown, depth = 0): Json {
  if (depth > maxDepth || value === undefined) return null
  if (Array.isArray(value)) return value.map((each) => camelCased(each, depth + 1))
  if (typeof value !== 'object' || value === null) return value as Json
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.map(([name, each]) => [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, camelCased(each, depth + 1)]),
  )
}

export const objectOf = (value: unknown): Answer | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined

export const listOf = (value: unknown): readonly Answer[] =>
  Array.isArray(value) ? value.map(objectOf).filter((each) => each !== undefined) : []

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
