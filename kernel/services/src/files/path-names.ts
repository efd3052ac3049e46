import { userPathInvalidError } from '@agent-service/sdk/services/user-files'

const maxNameBytes = 255
const maxPathLength = 2_000

/**
 * Splits a relative path below a folder into its names; the empty path is the folder itself.
 * Everything that programs interpret differently, or that leads elsewhere, is refused: empty and
 * dot segments, backslashes, control characters, unpaired surrogates. The length of a name is that of
 * its composed form. @throws `path_invalid`
 */
export function namesOf(path: string): readonly string[] {
  if (path === '') return []
  const names = path.split('/')
  const problem = problemOf(path, names)
  if (problem !== undefined) throw userPathInvalidError.create({ path, problem })
  return names
}

/** The folder and the last name of a path. @throws `path_invalid`, also for the empty path */
export function splitPath(path: string): { readonly folder: readonly string[]; readonly name: string } {
  const names = namesOf(path)
  const name = names.at(-1)
  if (name === undefined) throw userPathInvalidError.create({ path, problem: 'must name a file or folder below the folder' })
  return { folder: names.slice(0, -1), name }
}

/** The form of a name that a new file gets: composed (NFC), unless only the given one is short enough. */
export function composedName(name: string): string {
  const composed = name.normalize('NFC')
  return Buffer.byteLength(composed) <= maxNameBytes ? composed : name
}

/** Whether a name in a folder can be part of a path. */
export const isPlainName = (name: string): boolean => !/[\p{Cc}\p{Cs}\\]/u.test(name)

function problemOf(path: string, names: readonly string[]): string | undefined {
  if (path.length > maxPathLength) return `must not have more than ${maxPathLength} characters`
  if (names.includes('')) return 'must not have empty segments'
  if (names.includes('.') || names.includes('..')) return 'must not have dot segments'
  if (!isPlainName(path)) return 'must not have control characters, backslashes or unpaired surrogates'
  if (names.some((name) => Buffer.byteLength(composedName(name)) > maxNameBytes))
    return `must not have a name of more than ${maxNameBytes} bytes`
  return undefined
}
