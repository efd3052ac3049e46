/** An object that came from outside: each member may be missing, or of any kind. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is an object, otherwise undefined. */
export const objectOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

/** JSON out of bytes; undefined if they are not JSON. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // The caller says what follows from it, as from everything else that is not what it expects.
    return undefined
  }
}
