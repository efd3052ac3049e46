import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import { createFakeUserFiles } from '@agent-service/sdk/testing'

/** Workspaces in a temporary folder. Only what the sandbox asks of them works; links are not looked at. */
export async function createFolderFiles(): Promise<{ readonly files: UserFiles; readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-sandbox-'))
  const at = (handle: string, place: { readonly subsystem: string; readonly path?: string }): string =>
    path.join(folder, handle, place.subsystem, place.path ?? '')
  const fake = createFakeUserFiles()
  const files: UserFiles = {
    ...fake,
    async hostFolder({ handle }, place) {
      await mkdir(at(handle, place), { recursive: true })
      return at(handle, place)
    },
    folder(owner, place): UserFolder {
      return {
        ...fake.folder(owner, place),
        async list(name) {
          const listed = path.join(at(owner.handle, place), name)
          if (name === '' && !existsSync(listed)) return { items: [], unnameable: 0 }
          const entries = await readdir(listed, { withFileTypes: true })
          const items = await Promise.all(
            entries.map(async (entry) => {
              const { ino, size, mtimeNs, mtimeMs } = await lstat(path.join(listed, entry.name), { bigint: true })
              return {
                ...{ name: entry.name, path: path.posix.join(name, entry.name), size: Number(size), modifiedAt: Number(mtimeMs) },
                kind: entry.isDirectory() ? ('folder' as const) : entry.isSymbolicLink() ? ('link' as const) : ('file' as const),
                etag: `"${ino}-${size}-${mtimeNs}"`,
              }
            }),
          )
          return { items, unnameable: 0 }
        },
        realPath: (name) => Promise.resolve(name),
        stat: async (name) => {
          const found = await lstat(path.join(at(owner.handle, place), name)).catch(() => undefined)
          if (found === undefined) return undefined
          const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
          return { name: path.basename(name), path: name, kind, size: found.size, modifiedAt: found.mtimeMs }
        },
        makeFolder: async (name) => void (await mkdir(path.join(at(owner.handle, place), name), { recursive: true })),
      }
    },
  }
  return { files, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
