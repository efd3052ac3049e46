import { createHash } from 'node:crypto'
import { lstat, readFile, stat } from 'node:fs/promises'
import type { JsonObject } from '@agent-service/sdk'
import type { ValuePath } from './dotted-path.js'
import { configurationInvalid } from './problem.js'

const largest = 1024 * 1024

/** The configuration file as it was read. */
export interface ConfigurationFile {
  readonly path: string
  readonly exists: boolean
  /** SHA-256 of the bytes, in hexadecimal; null where there is no file. */
  readonly revision: string | null
  readonly value: JsonObject
  /** `line:column`, both from 1, of the key or the value at a path, else of the nearest place above it; `undefined` where the file has neither. */
  positionOf(path: ValuePath, which: 'key' | 'value'): string | undefined
}

/**
 * Reads the file. Absent at its default place it is empty; where the operator named it, it must be there.
 * @throws `configuration_invalid` for what cannot be read or parsed.
 */
export async function readConfigurationFile(path: string, options: { readonly mustExist: boolean }): Promise<ConfigurationFile> {
  const refuse = (message: string, cause?: unknown): never => {
    throw configurationInvalid(path, [{ path: '', message }], cause)
  }
  const bytes = await readBytes(path, refuse)
  if (bytes === undefined) {
    if (options.mustExist) refuse('there is no such file. SERVICE_CONFIG names it; create it, or unset the variable.')
    return { path, exists: false, revision: null, value: {}, positionOf: () => undefined }
  }
  // The parser is loaded when there is something to parse: it is a large part of a start without a file.
  const { parseYaml } = await import('./parse-yaml.js')
  const parsed = parseYaml(decode(bytes, refuse))
  if ('problems' in parsed) throw configurationInvalid(path, parsed.problems)
  return { path, exists: true, revision: createHash('sha256').update(bytes).digest('hex'), ...parsed }
}

async function readBytes(path: string, refuse: (message: string, cause?: unknown) => never): Promise<Uint8Array | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return refuse('is a folder; the configuration is a file.')
    // Opening a pipe would wait for a writer.
    if (!found.isFile()) return refuse('is no regular file.')
    if (found.size > largest) return refuse(`has ${found.size} bytes; at most ${largest} are read.`)
    const bytes = await readFile(path)
    return bytes.length > largest ? refuse(`has ${bytes.length} bytes; at most ${largest} are read.`) : bytes
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      return codeOf(error) === undefined ? rethrow(error) : refuse(`cannot be read: ${messageOf(error)}`, error)
    if (await isLink(path)) return refuse('is a link to a file that is not there.', error)
    return undefined
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )

function decode(bytes: Uint8Array, refuse: (message: string, cause?: unknown) => never): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    return refuse('is not valid UTF-8. Save it as UTF-8.', error)
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error && 'syscall' in error ? error.code : undefined)
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const rethrow = (error: unknown): never => {
  throw error
}
