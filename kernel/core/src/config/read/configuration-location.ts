import { join, resolve } from 'node:path'
import { configurationInvalid } from '../schema/problem.js'
import { reservedVariables } from './environment-names.js'
import { type Environment, variableValue } from './expand-references.js'

export interface ConfigurationLocation {
  /** The file, absolute. */
  readonly path: string
  /** `SERVICE_CONFIG` names it, so it must exist. */
  readonly named: boolean
  /** `SERVICE_SERVER_DATA_DIR`, absolute. */
  readonly serverDataDir: string
}

/**
 * Locates the file by the two variables that are not fields.
 * @throws `configuration_invalid` if their spellings contradict each other.
 */
export function configurationLocation(environment: Environment, workingDirectory: string): ConfigurationLocation {
  const serverDataDir = resolve(workingDirectory, dataDirOf(environment))
  const named = variableValue(environment, reservedVariables.configuration)
  const path = named === undefined ? join(serverDataDir, 'config.yaml') : resolve(workingDirectory, named)
  return { path, named: named !== undefined, serverDataDir }
}

/** `SERVICE_SERVER_DATA_DIR`, in either of its spellings. */
function dataDirOf(environment: Environment): string {
  const name = reservedVariables.serverDataDir
  const other = 'SERVICE_SERVER__DATA_DIR'
  const [value, same] = [variableValue(environment, name), variableValue(environment, other)]
  if (value !== undefined && same !== undefined && value !== same)
    throw configurationInvalid('not read', [
      { path: '', message: `${name} and ${other} are two spellings of one name with different values; unset one` },
    ])
  return value ?? same ?? 'data'
}
