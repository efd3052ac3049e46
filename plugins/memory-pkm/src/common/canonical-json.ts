import { sha256 } from './text.js'

/** A digest of a JSON value that does not depend on the order of members. Absent members count as missing. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value))

/** JSON with sorted members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
