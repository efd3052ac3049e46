/** Whether a path is a prefix or below it, by whole segments. */
export const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** A path without empty segments and without a slash at its end. */
export const plainPath = (path: string): string => path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')

/**
 * Mends the target of a client that was given a base URL with a slash at its end, or one that lacks or repeats its
 * prefix: empty segments, a slash at the end, and repetitions of the prefix are left out if the path is then below one
 * of the prefixes. Nothing is decoded, so that the mended target is read and checked as if it had been sent. Any other
 * target stays as it is.
 */
export function mendTarget(raw: string, prefixes: readonly string[]): string {
  if (prefixes.length === 0 || !raw.startsWith('/')) return raw
  const queryStart = raw.indexOf('?')
  const end = queryStart === -1 ? raw.length : queryStart
  const path = raw.slice(0, end)
  const plain = path.includes('//') || path.endsWith('/') ? plainPath(path) : path
  const prefix = prefixes.find((each) => isBelow(plain, each))
  if (prefix === undefined) return raw
  let at = 0
  while (isBelow(plain.slice(at + prefix.length), prefix)) at += prefix.length
  return plain.length === path.length && at === 0 ? raw : plain.slice(at) + raw.slice(end)
}
