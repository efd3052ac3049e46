import { join } from 'node:path'

/** The one file of a store; SQLite keeps `-wal` and `-shm` beside it. */
export const storeFileName = 'store.sqlite'

/** The file of a store in a folder. */
export const storeFileIn = (folder: string): string => join(folder, storeFileName)

/** Every file that belongs to a database file. */
export const filesOf = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]
