import { limits } from '../common/limits.js'

/**
 * A path in its composed form (NFC): macOS and some archives give the decomposed one, and what looks
 * the same must be the same name.
 */
export const composedPath = (path: string): string => path.normalize('NFC')

/**
 * What is wrong with the path of a file of a skill; `undefined` if nothing is. Letters of every
 * script are allowed.
 * Refused is what programs read differently: absolute paths and drives, `.` and `..`, backslashes,
 * control and format characters (such as those that turn the direction of text), spaces other than
 * the plain one, names that end with a dot or a space, and `:`.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'a name is empty'
  if (path.length > limits.maxPathLength) return `a path has more than ${limits.maxPathLength} characters`
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(path)) return 'a path has control, format or unassigned characters'
  if (/(?! )\p{Zs}/u.test(path)) return 'a path has a space that is not a plain one'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'a path is absolute'
  if (/[\\:]/.test(path)) return 'a path has a backslash or a colon'
  const names = path.split('/')
  if (names.includes('..') || names.includes('.')) return 'a path has dot segments'
  if (names.includes('')) return 'a path has an empty segment'
  if (names.length > limits.maxDepth) return `a path has more than ${limits.maxDepth} levels`
  if (names.some((name) => Buffer.byteLength(name) > limits.maxNameBytes)) return `a name has more than ${limits.maxNameBytes} bytes`
  if (names.some((name) => /[. ]$/.test(name) || name.startsWith(' '))) return 'a name begins or ends with a space, or ends with a dot'
  return undefined
}

/** Paths with the same key are one file on some file systems. */
export const caseKey = (path: string): string => path.normalize('NFKC').toLowerCase().normalize('NFKC')
