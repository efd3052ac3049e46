import { userPathInvalidError } from '@agent-service/sdk/services/user-files'

const longestNameBytes = 255
const longestPath = 2_000

/**
 * Takes a path below a folder apart: relative, with `/` between plain names; no names for the folder itself. What different
 * programs read differently, or what leads elsewhere, is refused: empty and dot segments, backslashes, control characters,
 * unpaired surrogates. @throws `path_invalid`
 */
export function namesOf(path: string): readonly string[] {
  if (path === '') return []
  const names = path.split('/')
  const problem = problemOf(path, names)
  if (problem !== undefined) throw userPathInvalidError.create({ path, problem })
  return names
}

/** The folder and the last name of a path that must have one. @throws `path_invalid` */
export function placeOf(path: string): { readonly folder: readonly string[]; readonly name: string } {
  const names = namesOf(path)
  const name = names.at(-1)
  if (name === undefined) throw userPathInvalidError.create({ path, problem: 'must name something below the folder' })
  return { folder: names.slice(0, -1), name }
}

/** Whether a name that stands in a folder can be part of a path. */
export const isPlainName = (name: string): boolean => !/[\p{Cc}\p{Cs}\\]/u.test(name)

function problemOf(path: string, names: readonly string[]): string | undefined {
  if (path.length > longestPath) return `must not have more than ${longestPath} characters`
  if (names.includes('')) return 'must name a file, without empty segments'
  if (names.includes('.') || names.includes('..')) return 'must not have dot segments'
  if (!isPlainName(path)) return 'must not have control characters, backslashes or unpaired surrogates'
  if (names.some((name) => Buffer.byteLength(name) > longestNameBytes)) return `must not have a name of more than ${longestNameBytes} bytes`
  return undefined
}
