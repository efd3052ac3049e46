import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { commandLine } from '@agent-service/kernel-accounts/audit'
import { databaseLockedError } from '@agent-service/kernel-core/database'
import { createDisposableScope } from '@agent-service/sdk/host'
import type { BackupProgress, BackupProof, BackupReport, BackupSummary } from '@agent-service/sdk/services/backups'
import {
  backupUnprovenError,
  makeBackup,
  notIncluded,
  readSummary,
  restoreBackup,
  restoreDatabase,
  summaryOf,
  verifyBackup,
} from '../backups/index.js'
import { backupFolderOf, backupSourcesOf, openCopy } from '../composition/backup-service.js'
import { composeKernel } from '../composition/composition-root.js'
import { prepare } from '../composition/prepare.js'
import { storePhaseToken } from '../composition/store-phase.js'
import { type Line, styled, type Terminal } from '../terminal/terminal.js'
import type { Outcome, OutputOptions } from './command-action.js'
import { backupServiceUnreachableError, backupWithoutAccountsError, serviceUnreachableError } from './errors.js'
import { makeExaminedFolder } from './examined-folder.js'
import { exitStatus } from './exit-status.js'
import { type Invocation, quietEnvironment } from './invocation.js'
import { noteCommand } from './note-command.js'
import type { RemoteOptions } from './options.js'
import { backUpRunningService } from './remote-backup.js'
import { withServiceData } from './service-data.js'
import { namedUrl } from './service-url.js'

const progressIntervalMs = 1_000

/**
 * Makes a backup of the whole service in one file. If its address is named, by the service there and
 * never of a folder here; otherwise itself while the service is stopped, and by asking the service,
 * which the caller signs in to, while it runs.
 */
export async function backUp(invocation: Invocation, file: string | undefined, options: RemoteOptions & OutputOptions): Promise<Outcome> {
  const { terminal, environment, workingDirectory, installation } = invocation
  const say = createProgressLines(terminal, options)
  const throughService = (): Promise<Outcome> => backUpRunningService(invocation, file, { ...options, say })
  if (namedUrl(environment, options.url) !== undefined) {
    return throughService().catch((error: unknown) => {
      if (!serviceUnreachableError.isInstance(error)) throw error
      throw backupServiceUnreachableError.create({ reason: error.message }, { cause: error })
    })
  }
  try {
    return await withServiceData(invocation, async ({ prepared, database, services }) => {
      if ((await services.auth.accounts.list({ limit: 1 })).items.length === 0)
        throw backupWithoutAccountsError.create({ place: `in ${prepared.configuration.storage.data_dir}` })
      const target = path.resolve(workingDirectory, file ?? path.join(backupFolderOf(prepared.configuration), backupNameAt(new Date())))
      const sources = backupSourcesOf(prepared, { database, version: installation.version })
      const summary = await makeBackup(sources, target, { signal: new AbortController().signal, progress: say })
      await services.audit.note({ kind: 'backup.created', actor: commandLine('backup'), subjectId: null, details: { path: target } })
      return outcomeOf(target, summary)
    })
  } catch (error) {
    if (!databaseLockedError.isInstance(error)) throw error
    return throughService()
  }
}

/** The name of a backup that was begun at a time. */
export const backupNameAt = (time: Date): string => `${time.toISOString().replaceAll(':', '-')}.tar`

function outcomeOf(target: string, summary: BackupSummary): Outcome {
  return {
    // The backup is there, and not all of it.
    status: summary.tooSparse + summary.unreadable === 0 ? exitStatus.done : exitStatus.failed,
    json: { path: target, ...summary },
    lines: [`The backup is in ${target}: ${sizeOf(summary.bytes)}, ${summary.files} files.`, ...notedLines(summary)],
    notes: [
      `Keep the encryption secret (auth.encryption_secret) elsewhere: it is not in the backup, and stored secrets cannot be read without it.`,
      ...(summary.secretsLeftOut.length === 0
        ? []
        : [`Left out, since the configuration file has them literally: ${summary.secretsLeftOut.join(', ')}.`]),
    ],
  }
}

/** What is said of files that were left out or changed all the while, with whose they are. */
function notedLines({ noted, tooSparse, unreadable, changing }: BackupSummary): readonly Line[] {
  const named = noted.map(({ user, path: place, reason }) => {
    const text = `${user === null ? '' : `${user}: `}${place}`
    if (reason === 'changing') return `  changing     ${text} changed while it was read`
    return styled(
      'red',
      `  left out     ${text} ${reason === 'too_sparse' ? 'would take far more room in the backup than on the disk' : 'cannot be read'}`,
    )
  })
  const more = tooSparse + unreadable + changing - noted.length
  return more > 0 ? [...named, `  and ${more} more files`] : named
}

/** Restores a backup into empty folders, or one of an earlier release, which has the database alone. */
export async function restore(
  invocation: Invocation,
  from: string,
  options: OutputOptions & { readonly databaseOnly?: boolean; readonly anySecret?: boolean; readonly acceptUnproven?: boolean },
): Promise<Outcome> {
  const { workingDirectory, installation, environment, terminal } = invocation
  const source = path.resolve(workingDirectory, from)
  const { configuration, log } = await prepare({ ...installation, environment: quietEnvironment(environment), workingDirectory })
  try {
    const { database, storage, auth, file } = configuration
    const note = (proof: BackupProof | null) =>
      noteCommand(invocation, 'restore', { kind: 'backup.restored', subjectId: null, details: { from: source, to: database.path, proof } })
    if (await isFolder(source)) {
      if (options.acceptUnproven !== true) throw backupUnprovenError.create({ path: source, proof: 'absent' })
      await restoreDatabase({ from: source, path: database.path })
      await note('absent')
      return { json: { path: database.path }, lines: [`Restored the database to ${database.path}. A backup of this kind has no files.`] }
    }
    const restored = await restoreBackup(
      source,
      {
        ...{
          dataFolder: storage.data_dir,
          databaseFolder: database.path,
          skillsFolder: storage.skills_dir,
          ontologyFolder: storage.ontology_dir,
        },
        ...{ configurationFile: file.path, driver: database.driver, encryptionSecret: auth.encryption_secret },
      },
      {
        progress: createProgressLines(terminal, options),
        ...(options.databaseOnly === undefined ? {} : { databaseOnly: options.databaseOnly }),
        ...(options.anySecret === undefined ? {} : { anySecret: options.anySecret }),
        ...(options.acceptUnproven === undefined ? {} : { acceptUnproven: options.acceptUnproven }),
      },
    )
    const { summary, proof = null } = restored
    await note(proof)
    if (summary === undefined)
      return {
        json: { path: storage.data_dir, finished: true },
        lines: [`Finished the restore to ${storage.data_dir} that was interrupted.`],
      }
    if (proof !== null && proof !== 'proven') log.logger.warn('A backup without proof of origin was restored.', { from: source, proof })
    const kept = restored.configuration !== null && restored.configuration !== file.path
    return {
      json: { path: storage.data_dir, database: database.path, configuration: restored.configuration, proof, ...summary },
      lines: [
        options.databaseOnly === true
          ? `Restored the database to ${database.path}, as it was on ${summary.createdAt}.`
          : `Restored the service to ${storage.data_dir}, as it was on ${summary.createdAt}: ${summary.files} files, and the database in ${database.path}.`,
        `It was made by ${madeBy(summary)}. Look at the date: an older backup of the same service is proven as well as the newest.`,
        ...(kept ? [`The configuration of the backup is in ${restored.configuration}; ${file.path} was kept.`] : []),
      ],
      notes: [
        ...(summary.secretsLeftOut.length === 0 ? [] : [`Set these again; a backup never has them: ${summary.secretsLeftOut.join(', ')}.`]),
        ...(proof === null || proof === 'proven' ? [] : [`Restored ${proofTexts[proof]}.`]),
      ],
    }
  } finally {
    log.flush()
  }
}

/** Lists the backups in a folder, newest first. */
export async function listBackups(invocation: Invocation, options: OutputOptions & { readonly folder?: string }): Promise<Outcome> {
  const folder = await folderOf(invocation, options.folder)
  const found: { readonly path: string; readonly summary: BackupSummary | null }[] = []
  for (const name of (await namesIn(folder)).filter((each) => each.endsWith('.tar')).reverse()) {
    const file = path.join(folder, name)
    const read = await readSummary(file)
    found.push({ path: file, summary: read === undefined ? null : summaryOf(read.summary, read.bytes) })
  }
  return {
    json: found,
    lines: found.length === 0 ? [`There are no backups in ${folder}.`] : found.map(lineOfBackup),
  }
}

const lineOfBackup = ({ path: file, summary }: { readonly path: string; readonly summary: BackupSummary | null }): Line =>
  summary === null
    ? styled('red', `${path.basename(file)}  is damaged or no backup`)
    : `${path.basename(file)}  ${sizeOf(summary.bytes).padStart(9)}  ${summary.files} files  made ${summary.createdAt} by ${madeBy(summary)}`

const madeBy = ({ service, serviceVersion }: BackupSummary): string =>
  service === null ? `version ${serviceVersion}` : `${service}, version ${serviceVersion}`

/** What is said of the proof of origin, after “is”. */
const proofTexts: Readonly<Record<BackupProof, string>> = {
  proven: 'proven to be made by this service, or one with its encryption secret, and unchanged since',
  public_secret: 'without proof of origin: its proof is under the built-in development secret, which everyone knows',
  other_secret:
    'without proof of origin: it was made under another encryption secret than the one in use, or changed after it was made. To tell, set SERVICE_AUTH_ENCRYPTION_SECRET to the secret that the service had then, and verify again',
  absent: 'without proof of origin: an earlier version made it, or its proof was taken out',
}

/** Verifies a backup completely, by default the newest of the service's folder. */
export async function verify(invocation: Invocation, file: string | undefined, options: OutputOptions): Promise<Outcome> {
  const { workingDirectory, installation, environment, terminal } = invocation
  const settings = { ...installation, environment: quietEnvironment(environment), workingDirectory }
  const prepared = await prepare(settings)
  const folder = await makeExaminedFolder()
  const scope = createDisposableScope({ name: 'backups verify' })
  try {
    const target = file === undefined ? await newestIn(backupFolderOf(prepared.configuration)) : path.resolve(workingDirectory, file)
    if (target === undefined)
      return {
        status: exitStatus.failed,
        json: { path: null, sound: false },
        lines: [`There is no backup in ${backupFolderOf(prepared.configuration)}. Name a file.`],
      }
    // A database of its own, so that the driver's plugin starts without the service's.
    const at = { ...prepared.configuration.database, path: path.join(folder, 'empty') }
    const storage = { ...prepared.configuration.storage, data_dir: path.join(folder, 'data') }
    const elsewhere = { ...prepared, configuration: { ...prepared.configuration, database: at, storage } }
    const { signal } = new AbortController()
    const report = await verifyBackup(target, {
      encryptionSecret: prepared.configuration.auth.encryption_secret,
      ...{ signal, scratch: path.join(folder, randomUUID()), progress: createProgressLines(terminal, options) },
      async open(copy, name) {
        const driver = await composeKernel(settings, elsewhere, scope).resolve(storePhaseToken).driver()
        if (driver.id !== name) throw new Error(`it was made with the driver ${name}, and database.driver is ${driver.id}`)
        return openCopy(driver, copy, prepared, signal)
      },
    })
    return {
      // As a restore takes it without --accept-unproven.
      status: report.sound && (report.proof === 'proven' || report.proof === 'public_secret') ? exitStatus.done : exitStatus.failed,
      json: { path: target, ...report },
      lines: linesOfReport(target, report),
    }
  } finally {
    await scope.dispose()
    await rm(folder, { recursive: true, force: true })
    prepared.log.flush()
  }
}

function linesOfReport(file: string, report: BackupReport): readonly Line[] {
  const { sound, problem, proof, summary, documents, references, missing } = report
  if (!sound) return [styled('red', `Backup         ${file} cannot be restored: ${problem}`)]
  if (summary === undefined || proof === null) return []
  const origin = `  origin       ${proofTexts[proof]}`
  return [
    `Backup         ${file} is complete and undamaged`,
    proof === 'proven' ? origin : styled('red', origin),
    `  made         ${summary.createdAt} by ${madeBy(summary)}, ${sizeOf(summary.bytes)}`,
    `  database     ${summary.driver}, opens, ${documents} documents`,
    `  files        ${summary.files}${summary.changing === 0 ? '' : `, ${summary.changing} of them changed all the while`}`,
    ...notedLines(summary),
    `  attachments  ${references - missing} of ${references} files to which messages refer are there${missing === 0 ? '' : '; the others had been deleted'}`,
    ...(summary.leftOut === 0 ? [] : [`  left out     ${summary.leftOut} links, sockets and names that are no text`]),
    ...(summary.secretsLeftOut.length === 0 ? [] : [`  to set again ${summary.secretsLeftOut.join(', ')}`]),
    ...notIncluded.map((text, index) => `${index === 0 ? '  not in it    ' : '               '}${text}`),
  ]
}

async function folderOf({ installation, environment, workingDirectory }: Invocation, given: string | undefined): Promise<string> {
  if (given !== undefined) return path.resolve(workingDirectory, given)
  const { configuration, log } = await prepare({ ...installation, environment: quietEnvironment(environment), workingDirectory })
  log.flush()
  return backupFolderOf(configuration)
}

async function newestIn(folder: string): Promise<string | undefined> {
  const newest = (await namesIn(folder)).filter((name) => name.endsWith('.tar')).at(-1)
  return newest === undefined ? undefined : path.join(folder, newest)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.sort()
}

const isFolder = (name: string): Promise<boolean> =>
  stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  )

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A size for people. */
export function sizeOf(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1_024 ** power).toFixed(1)} ${units[power]}`
}

const steps = { files: 'Files', database: 'Database', check: 'Check' }

/** Prints how far the work has come, once a second at most, where a person reads it. */
export function createProgressLines(terminal: Terminal, { json }: OutputOptions): (progress: BackupProgress) => void {
  let shownAt = Date.now()
  return ({ step, bytes, totalBytes }) => {
    if (json === true || Date.now() - shownAt < progressIntervalMs) return
    shownAt = Date.now()
    terminal.line(`${steps[step]}: ${totalBytes ? `${Math.floor((bytes / totalBytes) * 100)} %` : sizeOf(bytes)}`)
  }
}
