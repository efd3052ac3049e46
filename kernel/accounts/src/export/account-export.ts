import type { JsonObject, Logger } from '@agent-service/sdk'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { profileOf } from '../accounts/user-profile.js'
import type { UserRecord } from '../records/records.js'
import { type ArchiveEntry, plainName } from './archive-entry.js'
import { addProblem, newReport, type PartReport } from './export-report.js'
import { fileEntries, maxFilesOfArchive } from './file-entries.js'
import { recordEntries } from './record-entries.js'

/** A plugin that keeps data of users and does not run. */
export interface AbsentPart {
  readonly plugin: string
  readonly state: string
}

/** What an export is made of. */
export interface ExportSources {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly files: Pick<UserFiles, 'folder'>
  /** The folders of users whose files are exported, and those that hold secrets. */
  readonly subsystems: () => { readonly exported: readonly string[]; readonly withheld: readonly string[] }
  /** Plugins whose data an archive lacks. */
  readonly absent: () => readonly AbsentPart[]
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The files of an archive with everything that an account has, one after the other: its profile,
 * the records of each contribution in a folder of its own, its files, and at last `manifest.json`,
 * which counts them and says what is missing. Then there is `INCOMPLETE.txt` too. No secret is in
 * it, as far as the contributions keep their contract. Ends what it has opened when it is returned.
 */
export async function* accountEntries(
  user: UserRecord,
  sources: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { clock, log } = sources
  const createdAt = clock.now()
  const records: PartReport[] = []
  const files: PartReport[] = []
  yield { name: 'account.json', modifiedAt: createdAt, input: pretty(profileOf(user)) }
  for (const { key } of sources.contributions.list(userData)) {
    const report = newReport(key, `data/${plainName(key)}`)
    records.push(report)
    yield* entriesOfPart(user, report, sources, signal)
  }
  const { exported, withheld } = sources.subsystems()
  const room = { files: maxFilesOfArchive }
  for (const subsystem of exported) {
    const report = newReport(subsystem, `files/${plainName(subsystem)}`)
    files.push(report)
    const folder = sources.files.folder({ handle: user.handle }, { subsystem, links: 'refuse' })
    const onFailure = (error: unknown): void =>
      log.warn('A file of an account could not be exported.', { user_id: user.id, subsystem, error })
    yield* fileEntries({ folder, report, signal, room, onFailure })
  }
  const absent = sources.absent()
  const isComplete = absent.length === 0 && [...records, ...files].every(({ problems }) => problems.length === 0)
  const modifiedAt = clock.now()
  if (!isComplete) yield { name: 'INCOMPLETE.txt', modifiedAt, input: incompleteText }
  const manifest: JsonObject = {
    format: 'agent-service.account-export',
    version: 1,
    service_version: sources.version,
    created_at: new Date(createdAt).toISOString(),
    finished_at: new Date(modifiedAt).toISOString(),
    account: { id: user.id, username: user.username, handle: user.handle },
    complete: isComplete,
    parts: records.map(({ id, folder, items, bytes, problems }) => ({ id, folder, records: items, bytes, ...stateOf(problems) })),
    files: files.map(({ id, folder, items, bytes, skipped, problems }) => ({
      id,
      folder,
      files: items,
      bytes,
      skipped,
      ...stateOf(problems),
    })),
    absent_plugins: absent.map(({ plugin, state }) => ({ plugin, state })),
    withheld_folders: withheld,
  }
  yield { name: 'manifest.json', modifiedAt, input: pretty(manifest) }
  const total = [...records, ...files].reduce((sum, { bytes }) => sum + bytes, 0)
  log.info('An account was exported.', { user_id: user.id, complete: isComplete, bytes: total })
}

async function* entriesOfPart(
  user: UserRecord,
  report: PartReport,
  { contributions, clock, log }: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const onFailure = (error: unknown): void =>
    log.warn('Data of an account could not be exported; its archive is incomplete.', { user_id: user.id, part: report.id, error })
  const lease = contributions.acquire(userData, report.id)
  if (!lease) {
    addProblem(report, undefined)
    return
  }
  try {
    yield* recordEntries({ data: lease.value, userId: user.id, report, clock, signal, stopped: lease.signal, onFailure })
  } catch (error) {
    signal.throwIfAborted()
    addProblem(report, error)
    onFailure(error)
  } finally {
    lease.release()
  }
}

const stateOf = (problems: PartReport['problems']) => ({
  complete: problems.length === 0,
  problems: problems.map((problem) => ({ ...problem })),
})

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const incompleteText = 'This archive does not have everything. See “complete”, “problems” and “absent_plugins” in manifest.json.\n'
