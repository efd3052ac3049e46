import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'
import type { ValuePath } from '../schema/dotted-path.js'
import { configurationInvalid } from '../schema/problem.js'
import { readConfigurationBytes } from './configuration-bytes.js'

export interface ConfigurationFile {
  readonly path: string
  readonly exists: boolean
  /** SHA-256 of the bytes, in hexadecimal; null if there is no file. */
  readonly revision: string | null
  readonly value: JsonObject
  /**
   * `line:column`, both from 1, of the key or the value at a path, else of the nearest place above
   * it; `undefined` if the file has neither.
   */
  positionOf(path: ValuePath, which: 'key' | 'value'): string | undefined
}

/**
 * Reads the file. A missing file at the default path counts as empty; a file named by the operator
 * must exist.
 * @throws `configuration_invalid` if it cannot be read or parsed.
 */
export async function readConfigurationFile(path: string, options: { readonly mustExist: boolean }): Promise<ConfigurationFile> {
  const bytes = await readConfigurationBytes(path, { settled: true })
  return bytes === undefined ? absentConfigurationFile(path, options) : parseConfigurationFile(path, bytes)
}

/** The value of a missing file. @throws `configuration_invalid` if it must exist. */
export function absentConfigurationFile(path: string, options: { readonly mustExist: boolean }): ConfigurationFile {
  const message = 'the file does not exist. SERVICE_CONFIG names it; create it, or unset the variable.'
  if (options.mustExist) throw configurationInvalid(path, [{ path: '', message }])
  return { path, exists: false, revision: null, value: {}, positionOf: () => undefined }
}

export const revisionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Parses the bytes of the file. @throws `configuration_invalid`. */
export async function parseConfigurationFile(path: string, bytes: Uint8Array): Promise<ConfigurationFile> {
  // The parser is loaded only if there is something to parse: it would be a large part of a start
  // without a file.
  const { parseYaml } = await import('./parse-yaml.js')
  const parsed = parseYaml(decodeConfiguration(path, bytes).replace(/^\ufeff/, ''))
  if ('problems' in parsed) throw configurationInvalid(path, parsed.problems)
  return presentConfigurationFile(path, bytes, parsed)
}

export const presentConfigurationFile = (
  path: string,
  bytes: Uint8Array,
  { value, positionOf }: Pick<ConfigurationFile, 'value' | 'positionOf'>,
): ConfigurationFile => ({ path, exists: true, revision: revisionOf(bytes), value, positionOf })

/** The text of the bytes, with its byte order mark. @throws `configuration_invalid`. */
export function decodeConfiguration(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw configurationInvalid(path, [{ path: '', message: 'is not valid UTF-8. Save it as UTF-8.' }], error)
  }
}
