import { fileSchema } from '../../config/explain/index.js'
import { configurationInvalidError } from '../../config/index.js'
import { examineInstallation } from '../../installation/examine-installation.js'
import { exitStatus } from '../exit-status.js'
import type { Place } from '../place.js'

/**
 * Prints the JSON Schema of the configuration file, with the sections and settings of the plugins that are there; of the built-in ones alone while
 * the file cannot be read, since whoever mends it needs the schema most.
 */
export async function configSchemaCommand({ terminal, environment, workingDirectory, installation }: Place): Promise<number> {
  const options = { ...installation, environment, workingDirectory }
  const { examination } = await examineInstallation(options).catch((error: unknown) => {
    if (!configurationInvalidError.isInstance(error)) throw error
    return examineInstallation(options, { candidate: '' })
  })
  terminal.line(JSON.stringify(fileSchema(examination.schema), null, 2))
  return exitStatus.done
}
