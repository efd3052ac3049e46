import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** The ids of backups are the times at which they began, so they sort by age. */
const idPattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z$/
const ending = '.tar'

/** A backup in the folder. */
export interface StoredBackup {
  readonly id: string
  readonly path: string
  readonly bytes: number
  /** When it was begun. */
  readonly createdAt: string
}

export const idOf = (time: number): string => new Date(time).toISOString().replaceAll(':', '-')
export const isBackupId = (id: string): boolean => idPattern.test(id)

/** The folder of backups. Other files in it are left alone. */
export const createBackupFolder = (folder: string) => ({
  folder,
  pathOf: (id: string): string => path.join(folder, `${id}${ending}`),
  /** Every backup, the newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const ids = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
    const found = await Promise.all(
      ids
        .filter(isBackupId)
        .sort()
        .reverse()
        .map((id) => this.find(id)),
    )
    return found.filter((backup) => backup !== undefined)
  },
  async find(id: string): Promise<StoredBackup | undefined> {
    if (!isBackupId(id)) return undefined
    const file = this.pathOf(id)
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!found?.isFile()) return undefined
    return { id, path: file, bytes: found.size, createdAt: `${id.slice(0, 10)}T${id.slice(11).replaceAll('-', ':')}` }
  },
  remove: (id: string): Promise<void> => rm(path.join(folder, `${id}${ending}`), { force: true }),
})

export type BackupFolder = ReturnType<typeof createBackupFolder>
