import path from 'node:path'
import { restoreBackup } from '@agent-service/kernel/testing'

/** Restores a backup for a test kernel in a new folder. */
export const restoreInto = (file: string, folder: string, driver = 'sqlite'): ReturnType<typeof restoreBackup> => {
  const dataFolder = path.join(folder, 'data')
  return restoreBackup(file, {
    ...{ dataFolder, databaseFolder: path.join(dataFolder, 'db'), skillsFolder: path.join(dataFolder, 'skills') },
    ...{ ontologyFolder: path.join(dataFolder, 'ontology'), configurationFile: path.join(dataFolder, 'config.yaml'), driver },
    encryptionSecret: 'a secret for tests alone',
  })
}
