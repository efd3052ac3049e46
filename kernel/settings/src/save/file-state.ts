import {
  absentConfigurationFile,
  type ConfigurationFile,
  configurationInvalid,
  configurationInvalidError,
  decodeConfiguration,
  presentConfigurationFile,
  readConfigurationBytes,
  revisionOf,
} from '@agent-service/kernel-core/config'
import { type Problem, ServiceError } from '@agent-service/sdk'
import { openYaml, type Source } from '../edit/edit-yaml.js'

/** The path of the file. */
export interface FilePlace {
  readonly path: string
  /** The operator named it. */
  readonly mustExist: boolean
}

/** The state of the file at one moment. */
export type FileState =
  | { readonly revision: string; readonly exists: boolean; readonly file: ConfigurationFile; readonly source: Source }
  /** It cannot be read or parsed, or is missing although it must exist. */
  | { readonly revision: string; readonly exists: boolean; readonly problems: readonly Problem[] }

/**
 * Reads the file. Reports faults of the file as problems. @throws other errors of the file system.
 */
export async function readFileState(place: FilePlace): Promise<FileState> {
  const { path } = place
  let bytes: Uint8Array | undefined
  try {
    bytes = await readConfigurationBytes(path, { settled: false })
    const source = openYaml(bytes ? decodeConfiguration(path, bytes) : '')
    if ('problems' in source) throw configurationInvalid(path, source.problems)
    const file = bytes ? presentConfigurationFile(path, bytes, source) : absentConfigurationFile(path, place)
    return { revision: revisionOf(bytes ?? nothing), exists: bytes !== undefined, file, source }
  } catch (error) {
    if (!configurationInvalidError.isInstance(error) || !ServiceError.isInstance(error)) throw error
    return { revision: revisionOf(bytes ?? nothing), exists: bytes !== undefined, problems: error.problems }
  }
}

/** The current revision of the file. @throws as {@link readConfigurationBytes}. */
export const currentRevision = async ({ path }: FilePlace): Promise<string> =>
  revisionOf((await readConfigurationBytes(path, { settled: false })) ?? nothing)

/** A missing file has the revision of an empty one: both mean the same. */
const nothing = new Uint8Array()
