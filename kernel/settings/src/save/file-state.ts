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
import { openYaml, type Source } from '../edit/splice-yaml.js'

/** Where the file is looked for. */
export interface FilePlace {
  readonly path: string
  /** The operator named it. */
  readonly mustExist: boolean
}

/** The file of one moment. */
export type FileState =
  | { readonly revision: string; readonly exists: boolean; readonly file: ConfigurationFile; readonly source: Source }
  /** It cannot be read or parsed, or must be there and is not. */
  | { readonly revision: string; readonly exists: boolean; readonly problems: readonly Problem[] }

/** Reads the file. @throws errors of the file system that are no fault of the file's. */
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

/** The revision of the file now. @throws as {@link readConfigurationBytes}. */
export const currentRevision = async ({ path }: FilePlace): Promise<string> =>
  revisionOf((await readConfigurationBytes(path, { settled: false })) ?? nothing)

/** A file that is not there has the revision of an empty one: both mean the same. */
const nothing = new Uint8Array()
