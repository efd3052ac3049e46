import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { defineError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Resources } from '@agent-service/sdk/services/resources'

/** A path that is not valid, or that leads out of the folder of resources. */
export const resourcePathRefusedError = defineError<{ readonly path: string }>({
  code: 'resource_path_refused',
  status: 400,
  title: 'Resource path refused',
  message: ({ path }) => `“${path}” is not a resource path: expected names separated by “/”, without “.”, “..” or a leading “/”.`,
})

/** A resource is larger than the limit. */
export const resourceTooLargeError = defineError<{ readonly path: string; readonly limit: number }>({
  code: 'resource_too_large',
  status: 500,
  title: 'Resource too large',
  message: ({ path, limit }) => `The resource “${path}” is larger than ${limit} bytes.`,
})

/**
 * Makes the resources of one folder. The folder may be missing, and may change while the service
 * runs. Links that lead out of it count as missing.
 */
export function createResources(options: {
  /** `storage.shared_config_dir`, absolute. */
  readonly folder: string
  /** Default 8 MiB. */
  readonly limitBytes?: number
}): Resources {
  const { folder, limitBytes = 8 * 1024 * 1024 } = options

  /** The real path of an entry in the folder; `undefined` if it is missing or leads out. */
  const locate = async (path: string): Promise<string | undefined> => {
    try {
      const root = await realpath(folder)
      const found = await realpath(join(root, path))
      return found === root || found.startsWith(root.endsWith(sep) ? root : root + sep) ? found : undefined
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }

  return Object.freeze<Resources>({
    async list(path) {
      if (path !== '' && path !== '.') checkPath(path)
      const found = await locate(path)
      if (found === undefined) return []
      try {
        const entries = await readdir(found, { withFileTypes: true })
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name)
          .sort()
      } catch (error) {
        if (isAbsent(error)) return []
        throw error
      }
    },
    async read(path) {
      checkPath(path)
      const found = await locate(path)
      if (found === undefined) throw notFoundError.create({ what: `resource “${path}”` })
      return readText(found, path, limitBytes)
    },
  })
}

/**
 * Reads through one handle, without blocking on a pipe, and never more than the limit, even if the
 * file grows.
 */
async function readText(file: string, path: string, limit: number): Promise<string> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    if (!found.isFile()) throw notFoundError.create({ what: `resource “${path}”` })
    if (found.size > limit) throw resourceTooLargeError.create({ path, limit })
    const buffer = Buffer.alloc(found.size)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length))
  } catch (error) {
    if (isAbsent(error)) throw notFoundError.create({ what: `resource “${path}”` }, { cause: error })
    throw error
  } finally {
    await handle?.close()
  }
}

function checkPath(path: string): void {
  const segments = path.split('/')
  const sound = path.length <= 1024 && segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (!sound || /[\\\u0000-\u001f]/.test(path))
    throw resourcePathRefusedError.create({ path: JSON.stringify(path.slice(0, 200)).slice(1, -1) })
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP')
