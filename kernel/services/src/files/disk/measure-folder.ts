import { lstat, opendir } from 'node:fs/promises'
import { errorCode } from './path-of-descriptor.js'

const batchSize = 8

/**
 * The bytes of all regular files below a folder; 0 if it does not exist. Links are not followed.
 * `isExcluded` decides about the files directly in its subfolders. Files that disappear during the
 * measurement do not count.
 */
export async function measureFolder(
  folder: string,
  options: { readonly isExcluded?: (parent: string, name: string) => boolean } = {},
): Promise<number> {
  const root = Buffer.from(folder)
  const open: { readonly path: Buffer; readonly parent: string | undefined }[] = [{ path: root, parent: undefined }]
  let bytes = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, parent } = next
    let files: Buffer[] = []
    for await (const entry of entriesOf(path)) {
      const name = Buffer.from(entry.name)
      const inner = Buffer.concat([path, Buffer.from('/'), name])
      if (entry.isDirectory()) open.push({ path: inner, parent: path === root ? name.toString('latin1') : undefined })
      else if (entry.isFile() && !(parent !== undefined && options.isExcluded?.(parent, name.toString('latin1')))) files.push(inner)
      if (files.length < batchSize) continue
      bytes += await sizeOf(files)
      files = []
    }
    bytes += await sizeOf(files)
  }
  return bytes
}

async function* entriesOf(path: Buffer) {
  try {
    yield* await opendir(path, { encoding: 'buffer' as BufferEncoding })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function sizeOf(files: readonly Buffer[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => {
      try {
        return (await lstat(file)).size
      } catch (error) {
        if (isMissing(error)) return 0
        throw error
      }
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** It no longer exists, is something else now, or an agent has denied the service access to it. */
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG'].includes(errorCode(error))
