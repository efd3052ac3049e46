import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDurableFileSystem } from '@agent-service/kernel-core/disk'
import { defineError } from '@agent-service/sdk'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'

/** A name is not valid for a cache file. */
export const cacheFileNameError = defineError<{ readonly name: string }>({
  code: 'cache_file_name_invalid',
  status: 500,
  title: 'Invalid name of a cache file',
  message: ({ name }) =>
    `“${name}” is not a name of a cache file: expected up to 64 lower-case letters, digits, “.”, “-” or “_”, beginning with a letter or digit.`,
})

/** A cache file is larger than the limit. */
export const cacheFileTooLargeError = defineError<{ readonly name: string; readonly limit: number }>({
  code: 'cache_file_too_large',
  status: 500,
  title: 'Cache file too large',
  message: ({ name, limit }) => `The cache file “${name}” is larger than ${limit} bytes.`,
})

/**
 * Makes the cache files of one plugin. Concurrent writes of one name never mix: the last one to
 * finish wins.
 */
export function createCacheFiles(options: {
  /** `storage.cache_dir`, absolute. */
  readonly folder: string
  readonly pluginId: string
  /** Default 32 MiB. */
  readonly limitBytes?: number
}): CacheFiles {
  const { limitBytes = 32 * 1024 * 1024 } = options
  const folder = join(options.folder, options.pluginId)
  const files = createDurableFileSystem()
  const tooLarge = (name: string): Error => cacheFileTooLargeError.create({ name, limit: limitBytes })

  return Object.freeze<CacheFiles>({
    async read(name) {
      const path = join(folder, checked(name))
      const size = await sizeOf(path)
      if (size === undefined) return undefined
      if (size > limitBytes) throw tooLarge(name)
      return files.readFile(path)
    },
    async write(name, text) {
      const path = join(folder, checked(name))
      if (Buffer.byteLength(text) > limitBytes) throw tooLarge(name)
      await files.createFolder(folder)
      const unfinished = join(folder, `.${name}.${randomUUID()}`)
      try {
        await files.writeFile(unfinished, text)
        await files.syncFile(unfinished)
        await files.rename(unfinished, path)
      } catch (error) {
        await files.removeFile(unfinished)
        throw error
      }
      await files.syncFolder(folder)
    },
    async remove(name) {
      await files.removeFile(join(folder, checked(name)))
    },
  })
}

function checked(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) return name
  throw cacheFileNameError.create({ name: JSON.stringify(name.slice(0, 100)).slice(1, -1) })
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
