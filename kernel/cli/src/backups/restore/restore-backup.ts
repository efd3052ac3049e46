import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { acquireFolderLock, type FolderLock, lockFileName, ownDatabaseFolder } from '@agent-service/kernel-core/database/folder'
import { roomOf } from '@agent-service/kernel-core/disk'
import type { BackupProgress, BackupProof, BackupSummary } from '@agent-service/sdk/services/backups'
import { readArchive, readEnds, type SoundArchive } from '../archive/archive-reader.js'
import type { Root } from '../archive/layout.js'
import { summaryOf } from '../archive/summary.js'
import { backupNoRoomError, backupRefusedError, backupSecretWrongError, backupUnprovenError, toBackupError } from '../errors.js'
import { removeRestoreLeftovers, replacedOf, restoringOf } from '../leftovers.js'
import { entriesOf } from '../make/back-up-database.js'
import { syncTree } from '../make/sync-folder.js'
import { finishMoves, type PlannedMove, readJournal, writeJournal } from './restore-journal.js'
import { stageEntry } from './staged-files.js'

/** Where a backup goes. */
export interface RestorePlaces {
  readonly dataFolder: string
  readonly databaseFolder: string
  readonly skillsFolder: string
  readonly ontologyFolder: string
  /** The configuration file. If it is there, that of the backup is put beside the data instead. */
  readonly configurationFile: string
  /** The driver that will open the database. */
  readonly driver: string
  readonly encryptionSecret: string
}

export interface RestoreOptions {
  readonly signal?: AbortSignal
  readonly progress?: (progress: BackupProgress) => void
  /** Leaves everything but the database alone. */
  readonly databaseOnly?: boolean
  /** Restores although the encryption secret does not fit; the origin has to be accepted, too. */
  readonly anySecret?: boolean
  /** Restores although the origin of the backup is not proven. */
  readonly acceptUnproven?: boolean
}

/** What was restored. */
export interface Restored {
  /** Absent if an interrupted restore was finished. */
  readonly summary?: BackupSummary
  /** Absent as the summary is. Anything but `proven` was accepted. */
  readonly proof?: BackupProof
  /** Where the configuration was put; null if the backup has none. */
  readonly configuration: string | null
}

/**
 * Restores a backup while no service uses the folders. Proves first, by every byte, that this
 * service made it (or checks all of it, if it is accepted without a proof), then writes everything
 * beside its place, durably, checks it again, and only then moves it into place. If that last part is
 * interrupted, no service starts until the same call has finished it; before it, nothing has happened.
 * @throws `backup_invalid`, `backup_newer`, `backup_refused` if a folder has content or the driver is
 * another, `backup_secret_wrong`, `backup_unproven`, `backup_no_room`, `database_locked`.
 */
export async function restoreBackup(from: string, places: RestorePlaces, options: RestoreOptions = {}): Promise<Restored> {
  const { signal = new AbortController().signal } = options
  const { dataFolder, databaseFolder } = places
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const now = (): number => Date.now()
  const held: FolderLock[] = [await ownDatabaseFolder(databaseFolder, { now })]
  let staged: readonly StagedRoot[] = []
  let isDecided = false
  try {
    const journal = await readJournal(dataFolder)
    if (journal) {
      isDecided = true
      await finishMoves(dataFolder, journal)
      return { configuration: null }
    }
    await removeLeftovers(places)
    const { encryptionSecret } = places
    const sound = await readEnds(from, { signal, encryptionSecret, progress: progressOf(options, 'check') })
    const proof = checkOrigin(from, sound, places, options)
    if (proof !== 'proven') await readArchive(from, { signal, encryptionSecret, visitor: { progress: progressOf(options, 'check') } })
    await refuseContent(places, options)
    await refuseFullDisk(dirname(databaseFolder), sound.bytes)
    staged = stagedRoots(places, options)
    const summary = await stage(from, { sound, staged, encryptionSecret, signal, options })
    held.push(...(await lockStaged(staged, now)))
    const moves = await movesOf(staged, places)
    await writeJournal(dataFolder, { moves })
    isDecided = true
    await finishMoves(dataFolder, { moves })
    return { summary, proof, configuration: moves.find(({ from: path }) => path.endsWith('/config.yaml'))?.to ?? null }
  } catch (error) {
    signal.throwIfAborted()
    throw toBackupError(error, dataFolder)
  } finally {
    if (!isDecided || (await readJournal(dataFolder)) === undefined)
      for (const { folder } of staged) await rm(folder, { recursive: true, force: true })
    for (const lock of held) await lock.release()
  }
}

interface StagedRoot {
  readonly root: Root
  readonly folder: string
  readonly target: string
}

function stagedRoots(
  { dataFolder, databaseFolder, skillsFolder, ontologyFolder }: RestorePlaces,
  { databaseOnly = false }: RestoreOptions,
) {
  const at = (root: Root, target: string): StagedRoot => ({ root, target, folder: restoringOf(resolve(target), randomUUID()) })
  const database = at('database', databaseFolder)
  if (databaseOnly) return [database]
  return [
    at('users', join(dataFolder, 'users')),
    at('skills', skillsFolder),
    at('ontologies', ontologyFolder),
    at('system', join(dataFolder, 'system')),
    at('configuration', join(dataFolder, 'configuration')),
    // Last: without a database no service has its accounts.
    database,
  ]
}

/** What is known of the origin. @throws what speaks against a restore. */
function checkOrigin(
  from: string,
  { header, origin: { proof, secretFits } }: SoundArchive,
  { driver }: RestorePlaces,
  { anySecret = false, acceptUnproven = false }: RestoreOptions,
): BackupProof {
  if (!secretFits && !anySecret) throw backupSecretWrongError.create({ path: from })
  // Under the built-in secret no proof can say more; an operator who keeps it is told so, and has no other backups.
  if (proof !== 'proven' && proof !== 'public_secret' && !acceptUnproven) throw backupUnprovenError.create({ path: from, proof })
  if (header.driver !== driver)
    throw backupRefusedError.create({
      reason: `The backup at ${from} was made with the driver ${header.driver}, but the database uses ${driver}. Set database.driver to match.`,
    })
  return proof
}

async function stage(
  from: string,
  {
    sound,
    staged,
    encryptionSecret,
    signal,
    options,
  }: {
    readonly sound: SoundArchive
    readonly staged: readonly StagedRoot[]
    readonly encryptionSecret: string
    readonly signal: AbortSignal
    readonly options: RestoreOptions
  },
): Promise<BackupSummary> {
  for (const { folder } of staged) await mkdir(folder, { recursive: true, mode: 0o700 })
  const read = await readArchive(from, {
    signal,
    encryptionSecret,
    visitor: {
      async entry(entry, content) {
        const [root, ...segments] = entry.path.split('/')
        const place = staged.find((each) => each.root === root)
        if (place) return stageEntry(place.folder, segments, entry, content)
        for await (const _ of content);
      },
      progress: progressOf(options, 'files'),
    },
  })
  // What was judged is what was written: nothing is moved into place otherwise.
  if (read.end.sha256 !== sound.end.sha256) throw backupRefusedError.create({ reason: `${from} was replaced while it was read.` })
  for (const { folder } of staged) await syncTree(folder)
  return summaryOf(read.summary, read.bytes)
}

/** A service that starts on the database before this is done finds it locked. */
async function lockStaged(staged: readonly StagedRoot[], now: () => number): Promise<readonly FolderLock[]> {
  const database = staged.find(({ root }) => root === 'database')
  return database ? [await acquireFolderLock(database.folder, { now })] : []
}

async function movesOf(staged: readonly StagedRoot[], { dataFolder, configurationFile }: RestorePlaces): Promise<readonly PlannedMove[]> {
  const moves: PlannedMove[] = []
  for (const { root, folder, target } of staged) {
    if (root === 'database') moves.push({ from: folder, to: target, replaced: replacedOf(resolve(target), randomUUID()) })
    else if (root === 'system') for (const name of await readdir(folder)) moves.push({ from: join(folder, name), to: join(target, name) })
    else if (root === 'configuration') {
      for (const name of await readdir(folder)) {
        const isThere = await isFile(configurationFile)
        moves.push({ from: join(folder, name), to: isThere ? join(dataFolder, 'config.from-backup.yaml') : configurationFile })
      }
    } else if ((await readdir(folder)).length > 0) moves.push({ from: folder, to: target })
  }
  return moves
}

async function refuseContent(
  { dataFolder, databaseFolder, skillsFolder, ontologyFolder }: RestorePlaces,
  { databaseOnly = false }: RestoreOptions,
) {
  const refuse = async (folder: string, counts: (name: string) => boolean): Promise<void> => {
    const [first] = (await entriesOf(folder)).filter(counts)
    if (first === undefined) return
    const hint = databaseOnly ? '' : ' To put back only the database, use --database-only.'
    throw backupRefusedError.create({
      reason: `${folder} is not empty (it has ${first}). Move it away first; a restore never writes over data.${hint}`,
    })
  }
  await refuse(databaseFolder, (name) => name !== lockFileName)
  if (databaseOnly) return
  for (const folder of [join(dataFolder, 'users'), skillsFolder, ontologyFolder]) await refuse(folder, () => true)
  await refuse(join(dataFolder, 'system'), (name) => name.endsWith('.json'))
}

async function refuseFullDisk(folder: string, needed: number): Promise<void> {
  const { usable } = await roomOf(folder)
  if (needed > usable) throw backupNoRoomError.create({ folder, needed })
}

/** What a restore that was killed before its end has left, beside each place. */
async function removeLeftovers({ dataFolder, databaseFolder, skillsFolder, ontologyFolder }: RestorePlaces): Promise<void> {
  const inData = ['users', 'system', 'configuration'].map((name) => join(dataFolder, name))
  for (const target of [...inData, databaseFolder, skillsFolder, ontologyFolder]) await removeRestoreLeftovers(target)
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

const progressOf = ({ progress }: RestoreOptions, step: BackupProgress['step']) => {
  let saidAt = 0
  return (bytes: number): void => {
    if (Date.now() - saidAt < 200) return
    saidAt = Date.now()
    progress?.({ step, bytes, files: 0, totalBytes: null })
  }
}
