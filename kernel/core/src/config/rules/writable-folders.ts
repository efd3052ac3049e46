import type { KernelSections } from '../effective/configuration.js'
import { reservedVariables } from '../read/environment-names.js'

/** A folder and the setting that names it. */
export interface NamedFolder {
  readonly setting: string
  /** Absolute. */
  readonly folder: string
}

/**
 * The folders that the service, its users and their agents write to: their content may have been
 * written by a model.
 */
export const writableFolders = (
  { storage, database }: Pick<KernelSections, 'storage' | 'database'>,
  serverDataDir: string,
): readonly NamedFolder[] => [
  { setting: 'storage.data_dir', folder: storage.data_dir },
  { setting: reservedVariables.serverDataDir, folder: serverDataDir },
  { setting: 'database.path', folder: database.path },
  { setting: 'storage.skills_dir', folder: storage.skills_dir },
  { setting: 'storage.cache_dir', folder: storage.cache_dir },
  { setting: 'storage.ontology_dir', folder: storage.ontology_dir },
]
