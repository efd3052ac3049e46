import { defineServiceReference } from '../core/service-reference.js'

/**
 * Small files that can be fetched or computed again: `{storage.cache_dir}/{plugin id}/`. Each
 * plugin sees only its own. The operator may empty the folder at any time, so that a file may be
 * absent although it was written.
 *
 * @example
 * const files = context.use(cacheFilesService)
 * const text = (await files.read('rates.json')) ?? '{}'
 * await files.write('rates.json', text)
 */
export interface CacheFiles {
  /**
   * The text of a file, UTF-8; `undefined` if there is none. `name` is a single name, not a path.
   * @throws `cache_file_too_large` over 32 MiB.
   */
  read(name: string): Promise<string | undefined>
  /**
   * Writes a file whole or not at all, even if the process dies meanwhile. Creates the folder.
   * @throws `cache_file_too_large` over 32 MiB.
   */
  write(name: string, text: string): Promise<void>
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>
}

/** Files in the cache folder of the service. Provided by the kernel. */
export const cacheFilesService = defineServiceReference<CacheFiles>()('kernel.cache-files')
