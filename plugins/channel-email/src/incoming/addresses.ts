/** Longer ones exist in theory; ids of senders have room for this. */
const maxLength = 180

/**
 * An e-mail address in lower case, if it is one that can be written to. Two that differ in case alone
 * belong to one person everywhere.
 */
export function addressOf(text: string | undefined): string | undefined {
  const address = text?.trim().toLowerCase() ?? ''
  if (address.length > maxLength) return undefined
  return /^[^\s\p{C}@<>()[\]\\,;:"/]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(address) ? address : undefined
}

/** The part behind the `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** A text for people as one line of at most `max` UTF-16 units; undefined if nothing is left of it. */
export function lineOf(text: string | undefined, max: number): string | undefined {
  const line = (text ?? '')
    .slice(0, max * 4)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Cs}/gu, '')
  return line === '' ? undefined : line
}
