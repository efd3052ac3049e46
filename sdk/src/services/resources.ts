import { defineServiceReference } from '../core/service-reference.js'

/**
 * Read-only data that ships with the service: `{storage.shared_config_dir}`. Paths are relative,
 * checked, and never leave it.
 *
 * @example
 * const template = await context.use(resourcesService).read('prompts/summary.md')
 */
export interface Resources {
  /** Names of the files in a folder, sorted; empty if the folder is absent. */
  list(folder: string): Promise<readonly string[]>
  /** The text of a file, UTF-8, at most 8 MiB. @throws `not_found`. */
  read(path: string): Promise<string>
}

/** The data that ships with the service. Provided by the kernel. */
export const resourcesService = defineServiceReference<Resources>()('kernel.resources')
