import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Examination } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database'
import { roomOf } from '@agent-service/kernel-core/disk'
import { createWrapping } from '@agent-service/kernel-core/secrets'
import type { BackupProgress, BackupSummary } from '@agent-service/sdk/services/backups'
import { type ArchiveWriter, createArchiveWriter } from '../archive/archive-writer.js'
import { type BackupHeader, backupFormat, configurationPath, isStateDocument, names, type StoredSummary } from '../archive/layout.js'
import { proofOf, secretCheckId } from '../archive/proof.js'
import { summaryOf } from '../archive/summary.js'
import { backupRefusedError, toBackupError } from '../errors.js'
import { partialBackupOf } from '../leftovers.js'
import { copyConfiguration } from './copied-configuration.js'
import { createFileBudgets, type FileLimits, fileLimits } from './file-budgets.js'
import { createNotedFiles, isByUser, nameFile } from './noted-files.js'
import { createRoomGuard, type RoomGuard } from './room-guard.js'
import { createSeenFiles } from './seen-files.js'
import { syncPath } from './sync-folder.js'
import { type Found, walkFolder } from './walk-folder.js'

/** What a backup is made of. */
export interface BackupSources {
  readonly database: Pick<KernelDatabase, 'copy' | 'driver'>
  /** `{storage.data_dir}`. */
  readonly dataFolder: string
  readonly skillsFolder: string
  readonly ontologyFolder: string
  readonly configuration: Pick<Examination, 'file' | 'schema'>
  readonly encryptionSecret: string
  readonly serviceVersion: string
  /** By which people recognise the service: its address, or the name of its machine. */
  readonly service: string
}

/** Said in each backup, and by the commands. */
export const notIncluded: readonly string[] = [
  'the encryption secret (auth.encryption_secret), without which stored secrets cannot be read',
  'secrets that stand literally in the configuration file, and variables of the environment',
  'caches, logs, earlier backups, installed third-party plugins',
  'links, sockets and devices in users’ folders',
]

const progressMs = 200

/**
 * Makes a backup of the whole service while work goes on. The order keeps files and database
 * together: first all files, then the database's snapshot, then the files that are new or have
 * changed since they were read. So a file to which the snapshot refers is there: it was either read
 * before the snapshot, or is found after it. Only one that came and went during the backup is not.
 * What was acknowledged before the call is in it.
 *
 * The file appears complete and durable, by a rename, or not at all.
 * Holes of files stay holes. A file of a user that has more of them than may be read, takes far more room in the
 * backup than on the disk, or cannot be read at all, is left out, and named in the summary. The reserve of the disk is left to the database. @throws `backup_refused`, `backup_no_room`, `backup_file_unreadable`, the signal's reason.
 */
export async function makeBackup(
  sources: BackupSources,
  target: string,
  options: {
    readonly signal: AbortSignal
    readonly progress?: ((progress: BackupProgress) => void) | undefined
    readonly limits?: Partial<FileLimits>
    readonly measure?: typeof roomOf
  },
): Promise<BackupSummary> {
  const { signal, measure = roomOf } = options
  const { database } = sources
  signal.throwIfAborted()
  const file = resolve(target)
  if (!database.copy)
    throw backupRefusedError.create({ reason: `The ${database.driver} driver does not make backups. Use the tools of its server.` })
  const folder = dirname(file)
  const temporary = partialBackupOf(file, randomUUID())
  const room = createRoomGuard(folder, measure)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await refuseExisting(file)
    await mkdir(temporary, { mode: 0o700 })
    const partial = join(temporary, 'backup')
    const writer = await createArchiveWriter(partial, { scratch: join(temporary, 'list'), signal, checkRoom: room.check })
    let summary: StoredSummary
    try {
      summary = await writeAll(sources, { writer, scratch: join(temporary, 'database'), room, ...options })
    } finally {
      await writer.close()
    }
    signal.throwIfAborted()
    const { size } = await stat(partial)
    await refuseExisting(file)
    await rename(partial, file)
    await syncPath(folder)
    return summaryOf(summary, size)
  } catch (error) {
    signal.throwIfAborted()
    throw toBackupError(error, folder)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

interface Making {
  readonly writer: ArchiveWriter
  /** A folder for the database's copy, which does not exist yet. */
  readonly scratch: string
  readonly signal: AbortSignal
  readonly progress?: ((progress: BackupProgress) => void) | undefined
  readonly limits?: Partial<FileLimits>
  readonly room: RoomGuard
}

async function writeAll(sources: BackupSources, making: Making): Promise<StoredSummary> {
  const { database } = sources
  const { writer, scratch, signal } = making
  const header: BackupHeader = {
    kind: 'agent-service backup',
    format: backupFormat,
    created_at: new Date().toISOString(),
    service_version: sources.serviceVersion,
    driver: database.driver,
    secret_check: createWrapping(sources.encryptionSecret).wrap(secretCheckId, randomBytes(16)),
  }
  await writer.addBytes(names.header, json(header))
  const configuration = await copyConfiguration(sources.configuration)
  if (configuration) await writer.addBytes(configurationPath, Buffer.from(configuration.text))

  const reading = createReading(sources, making)
  await reading.read()
  await mkdir(scratch, { mode: 0o700 })
  const copied = await database.copy?.(scratch, {
    signal: AbortSignal.any([signal, making.room.signal]),
    progress(done, total) {
      // The copy is there until it is in the backup.
      making.room.watch(2 * total - done)
      making.progress?.({ step: 'database', bytes: done, files: reading.counts().files, totalBytes: total })
    },
  })
  await addDatabase(writer, scratch)
  await rm(scratch, { recursive: true, force: true })
  await reading.read()
  const { files, leftOut, noted } = reading.counts()
  const said: Omit<StoredSummary, 'manifest_sha256'> = {
    ...{ format: header.format, created_at: header.created_at, service_version: header.service_version, driver: header.driver },
    service: sources.service,
    ...{ revision: copied?.revision ?? 0, collections: [...(copied?.collections ?? [])] },
    ...{
      changing: noted.count('changing'),
      too_sparse: noted.count('too_sparse'),
      unreadable: noted.count('unreadable'),
      noted: [...noted.list()],
    },
    ...{ files, left_out: leftOut, secrets_left_out: [...(configuration?.secretsLeftOut ?? [])], not_included: [...notIncluded] },
  }
  let whole: StoredSummary | undefined
  await writer.finish({
    summary: (manifest_sha256) => {
      whole = { ...said, manifest_sha256 }
      return json(whole).toString()
    },
    proof: (end) => proofOf(sources.encryptionSecret, end),
  })
  if (whole === undefined) throw new Error('The writer of a backup did not ask for its summary.')
  return whole
}

/** Reads the folders twice; the second time what is new or was changed since. */
function createReading(sources: BackupSources, { writer, signal, progress, limits }: Making) {
  const seen = createSeenFiles()
  const folders = createSeenFiles()
  const other = createSeenFiles()
  const paths = createSeenFiles()
  const unreadable = createSeenFiles()
  let files = 0
  const noted = createNotedFiles()
  const budgetOf = createFileBudgets({ ...fileLimits, ...limits })
  let leftOut = 0
  let saidAt = 0

  /** What a user made unreadable takes no backup from the others. */
  const leaveOut = (path: string): undefined => {
    if (!unreadable.has(path)) noted.add(path, 'unreadable')
    unreadable.add(path)
  }

  const add = async (found: Found): Promise<void> => {
    if (found.kind === 'folder') {
      if (folders.has(found.path)) return
      folders.add(found.path)
      return writer.addFolder(found.path, found)
    }
    if (found.kind === 'other') {
      if (!other.has(found.path)) leftOut += 1
      return other.add(found.path)
    }
    if (found.kind === 'unreadable') return leaveOut(found.path)
    const added = await writer.addFile(found.path, found.source, seen.has, budgetOf(found.path)).catch((error: unknown) => {
      const named = nameFile(error, found)
      if (!isByUser(named, found.path)) throw named
      return leaveOut(found.path)
    })
    if (added === undefined) return
    seen.add(added.state)
    if (added.tooSparse === true) return noted.add(found.path, 'too_sparse')
    if (!paths.has(found.path)) files += 1
    paths.add(found.path)
    if (added.changing) noted.add(found.path, 'changing')
  }
  return {
    counts: () => ({ files, leftOut, noted }),
    async read(): Promise<void> {
      for await (const found of everyFile(sources)) {
        signal.throwIfAborted()
        await add(found)
        if (Date.now() - saidAt < progressMs) continue
        saidAt = Date.now()
        progress?.({ step: 'files', bytes: writer.bytes(), files, totalBytes: null })
      }
    },
  }
}

/** What a service keeps in folders. */
async function* everyFile({ dataFolder, skillsFolder, ontologyFolder }: BackupSources): AsyncGenerator<Found> {
  const all = (): boolean => true
  // State documents alone: beside them are caches, backups, and the notes of commands.
  yield* walkFolder({ source: join(dataFolder, 'system'), path: 'system' }, isStateDocument)
  // Uploads that have not ended are in `.incoming`; they are no files yet.
  yield* walkFolder({ source: join(dataFolder, 'users'), path: 'users' }, (path) => !/^users\/[^/]+\/\.incoming$/.test(path))
  yield* walkFolder({ source: skillsFolder, path: 'skills' }, all)
  yield* walkFolder({ source: ontologyFolder, path: 'ontologies' }, all)
}

async function addDatabase(writer: ArchiveWriter, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((found) => found.isFile())) {
    const source = join(entry.parentPath, entry.name)
    const path = `database/${source.slice(folder.length + 1)}`
    const added = await writer.addFile(path, source, never)
    if (added === undefined || added.changing) throw new Error(`The copy of the database changed while it was read: ${source}`)
  }
}

const never = (): boolean => false
const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

async function refuseExisting(file: string): Promise<void> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return
  await handle.close()
  throw backupRefusedError.create({ reason: `${file} exists already. Name a new file for the backup.` })
}
