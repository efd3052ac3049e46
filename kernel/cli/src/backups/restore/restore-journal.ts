import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { restoreUnfinishedError } from '../errors.js'
import { syncPath } from '../make/sync-folder.js'

/** A finished part of a restore that waits to be moved to its place. */
export interface PlannedMove {
  readonly from: string
  readonly to: string
  /** What is at the place now, which is moved here and removed: the folder with the lock. */
  readonly replaced?: string
}

/** What is left to do once everything was checked and written. */
export interface RestoreJournal {
  readonly moves: readonly PlannedMove[]
}

const journalOf = (dataFolder: string): string => join(dataFolder, 'restore-in-progress.json')

/** The journal of a restore that was interrupted while it moved its parts; undefined if none was. */
export async function readJournal(dataFolder: string): Promise<RestoreJournal | undefined> {
  try {
    return JSON.parse(await readFile(journalOf(dataFolder), 'utf8')) as RestoreJournal
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** @throws `restore_unfinished` if the data is half restored. Called before a service opens it. */
export async function refuseUnfinishedRestore(dataFolder: string): Promise<void> {
  if ((await readJournal(dataFolder)) !== undefined) throw restoreUnfinishedError.create({ folder: dataFolder })
}

/** Writes the journal durably: from here on, the restore is finished rather than undone. */
export async function writeJournal(dataFolder: string, journal: RestoreJournal): Promise<void> {
  const file = journalOf(dataFolder)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(journal, undefined, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
  await syncPath(dataFolder)
}

/** Moves every part to its place and removes the journal. May be done again after a crash. */
export async function finishMoves(dataFolder: string, { moves }: RestoreJournal): Promise<void> {
  for (const move of moves) await moveOne(move)
  for (const folder of new Set(moves.map(({ to }) => dirname(to)))) await syncPath(folder)
  await rm(journalOf(dataFolder), { force: true })
  await syncPath(dataFolder)
  for (const { replaced } of moves) if (replaced !== undefined) await rm(replaced, { recursive: true, force: true })
}

async function moveOne({ from, to, replaced }: PlannedMove): Promise<void> {
  // It was moved before the crash.
  if (!(await exists(from))) return
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  if (replaced !== undefined) {
    if (await exists(to)) await rename(to, replaced)
  } else if (await isFolder(to)) await rmdir(to)
  await rename(from, to)
}

async function exists(path: string): Promise<boolean> {
  return (await look(path)) !== undefined
}

async function isFolder(path: string): Promise<boolean> {
  return (await look(path))?.isDirectory() === true
}

async function look(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
