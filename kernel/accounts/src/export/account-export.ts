import type { JsonObject, Logger } from '@agent-service/sdk'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { operationForbiddenError, type PolicyService, permitsOperation } from '@agent-service/sdk/services/policy'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { profileOf } from '../accounts/user-profile.js'
import { isOfAbsentPlugin, type RawData, type RawFolder } from '../raw-data/index.js'
import type { UserRecord } from '../records/records.js'
import { type ArchiveEntry, plainName } from './archive-entry.js'
import { addForbidden, addProblem, newReport, type PartReport, problemsOf } from './export-report.js'
import { fileEntries, maxFilesOfArchive } from './file-entries.js'
import { hasSomething, newRawReport, type RawReport, rawEntries, rawParts } from './raw-entries.js'
import { recordEntries } from './record-entries.js'

const shownByFileRoutes: readonly string[] = ['getFileContent', 'listFiles', 'searchFiles']

/** The operations that show `account.json`. */
const accountShownBy: readonly string[] = ['getOwnProfile']

/** The folders whose files the API gives to their person, with the operations that do. */
const shownByRoutes: ReadonlyMap<string, readonly string[]> = new Map([
  ['files', shownByFileRoutes],
  ['workspaces', shownByFileRoutes],
  ['skills', ['listSkills', 'getSkill', 'checkSkill', 'getSkillFile']],
])

/** A plugin that keeps data of users and does not run. */
export interface AbsentPart {
  readonly plugin: string
  readonly state: string
}

/** What an export is made of. */
export interface ExportSources {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly files: Pick<UserFiles, 'folder'>
  /** The folders of users that installed plugins declare, and which ones are withheld: they hold secrets. */
  readonly subsystems: { readonly declared: readonly string[]; isSecret(name: string): boolean }
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  /** Whether a route of the API is served: policies say nothing about operations that are not there. */
  readonly isServed: (operation: string) => boolean
  /** What no running plugin answers for. */
  readonly rawData: Pick<RawData, 'collections' | 'folders'>
  /** Plugins that are installed and whose data an archive lacks. */
  readonly absent: () => readonly AbsentPart[]
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The files of an archive with everything that an account has, one after the other: its profile,
 * the records of each contribution in a folder of its own, its files, the documents that no running
 * plugin answers for, and at last `manifest.json`, which counts them and says what is missing. Then
 * there is `INCOMPLETE.txt` too. No secret is in it, as far as the contributions keep their contract.
 * Ends what it has opened when it is returned.
 */
export async function* accountEntries(
  user: UserRecord,
  sources: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { clock, log } = sources
  const createdAt = clock.now()
  const records = sources.contributions.list(userData).map(({ key }) => newReport(key, `data/${plainName(key)}`))
  // At the same time as the contributions: a plugin that starts meanwhile is in the archive once.
  const raw = (await sources.rawData.collections()).map(newRawReport)
  const { folders, withheld } = await folderReports(sources)
  const account = newReport('account', '.')
  const hidden = await forbiddenOperation(accountShownBy, { userId: user.id, sources, signal })
  if (hidden === undefined) yield { name: 'account.json', modifiedAt: createdAt, input: pretty(profileOf(user)) }
  else addProblem(account, operationForbiddenError.create({ operation: hidden }))
  for (const report of records) yield* entriesOfPart(user, report, sources, signal)
  const room = { files: maxFilesOfArchive }
  for (const { report } of folders) yield* entriesOfFolder(user, { report, room }, sources, signal)
  // After the files, so that the list at the end of the archive names them near its end.
  for (const report of raw) yield* entriesOfCollection(user, report, sources, signal)
  const found = { user, hidden, account, records, folders, raw: raw.filter(hasSomething) }
  const absent = absentPlugins(found, sources.absent())
  const all = [account, ...records, ...folders.map(({ report }) => report), ...raw.map(({ report }) => report)]
  const isComplete = absent.length === 0 && all.every((report) => problemsOf(report).length === 0)
  const modifiedAt = clock.now()
  if (!isComplete) yield { name: 'INCOMPLETE.txt', modifiedAt, input: incompleteText }
  const manifest: JsonObject = {
    format: 'agent-service.account-export',
    version: 1,
    service_version: sources.version,
    created_at: new Date(createdAt).toISOString(),
    finished_at: new Date(modifiedAt).toISOString(),
    complete: isComplete,
    ...contentOf(found),
    absent_plugins: absent.map(({ plugin, state }) => ({ plugin, state })),
    withheld_folders: withheld,
  }
  yield { name: 'manifest.json', modifiedAt, input: pretty(manifest) }
  log.info('An account was exported.', { user_id: user.id, complete: isComplete, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) })
}

/** A folder of files, and the plugin that has it if that is not installed. */
interface FolderReport {
  readonly report: PartReport
  readonly left: RawFolder | undefined
}

/** What is in an archive so far. */
interface Found {
  readonly user: UserRecord
  /** The operation that the policies forbid and that would show the profile. */
  readonly hidden: string | undefined
  readonly account: PartReport
  readonly records: readonly PartReport[]
  readonly folders: readonly FolderReport[]
  /** Of the collections that have documents of the account. */
  readonly raw: readonly RawReport[]
}

async function folderReports({ subsystems, rawData }: ExportSources) {
  const { declared, isSecret } = subsystems
  const left = await rawData.folders()
  const all = [...declared.map((name) => ({ name, left: undefined })), ...left.map((folder) => ({ name: folder.name, left: folder }))]
  const folders: readonly FolderReport[] = all
    .filter(({ name }) => !isSecret(name))
    .map(({ name, left: folder }) => ({ report: newReport(name, `files/${plainName(name)}`), left: folder }))
  return { folders, withheld: [...new Set(all.map(({ name }) => name).filter(isSecret))] }
}

/** Those that are installed, and those that were not found and have left something of this account. */
function absentPlugins({ folders, raw }: Found, installed: readonly AbsentPart[]): readonly AbsentPart[] {
  const left = folders.flatMap((folder) => (folder.left && folder.report.items > 0 ? [folder.left] : []))
  const absent = [...raw.map(({ collection }) => collection), ...left].filter(isOfAbsentPlugin)
  const states = new Map(absent.map(({ plugin, state }) => [plugin, state]))
  return [...installed, ...[...states.keys()].sort().map((plugin) => ({ plugin, state: states.get(plugin) ?? 'gone' }))]
}

/** What the manifest says of everything that is in the archive. */
function contentOf({ user, hidden, account, records, folders, raw }: Found): JsonObject {
  const names = hidden === undefined ? { username: user.username, handle: user.handle } : {}
  return {
    account: { id: user.id, ...names, ...stateOf(account) },
    parts: records.map((report) => ({ ...shown(report), records: report.items, bytes: report.bytes, ...stateOf(report) })),
    raw_parts: rawParts(raw),
    files: folders.map(({ report, left }) => ({
      ...shown(report),
      ...(left && { plugin: left.plugin, state: left.state }),
      files: report.items,
      bytes: report.bytes,
      skipped: report.skipped,
      forbidden: { count: report.forbidden.count, paths: [...report.forbidden.paths] },
      ...stateOf(report),
    })),
  }
}

async function* entriesOfCollection(
  user: UserRecord,
  raw: RawReport,
  sources: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { clock, log } = sources
  const { name: collection, plugin } = raw.collection
  yield* rawEntries(raw, {
    userId: user.id,
    modifiedAt: clock.now(),
    signal,
    mayRead: () => mayReadRaw(raw, { userId: user.id, sources, signal }),
    onFailure: (error) =>
      log.warn('Documents of an account could not be exported; its archive is incomplete.', {
        user_id: user.id,
        plugin,
        collection,
        error,
      }),
  })
}

/** As a file with its name in the archive, and as what their plugin showed when it ran. */
async function mayReadRaw(
  { collection, file, report }: RawReport,
  { userId, sources, signal }: { readonly userId: string; readonly sources: ExportSources; readonly signal: AbortSignal },
): Promise<boolean> {
  for (const operation of await collection.shownBy()) {
    if (await permitsOperation(sources.policies, { userId, operation, signal })) continue
    addProblem(report, operationForbiddenError.create({ operation }))
    return false
  }
  if (await mayReadFile(sources.policies, userId, { path: file, signal })) return true
  addForbidden(report, file)
  return false
}

async function* entriesOfFolder(
  user: UserRecord,
  { report, room }: { readonly report: PartReport; readonly room: { files: number } },
  sources: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { policies, log } = sources
  const { id: subsystem } = report
  const forbidden = await forbiddenOperation(shownByRoutes.get(subsystem), { userId: user.id, sources, signal })
  if (forbidden !== undefined) return addProblem(report, operationForbiddenError.create({ operation: forbidden }))
  const folder = sources.files.folder({ handle: user.handle }, { subsystem, links: 'refuse' })
  const onFailure = (error: unknown): void =>
    log.warn('A file of an account could not be exported.', { user_id: user.id, subsystem, error })
  const mayRead = (path: string): Promise<boolean> => mayReadFile(policies, user.id, { path: `${subsystem}/${path}`, signal })
  yield* fileEntries({ folder, report, signal, room, mayRead, onFailure })
}

async function* entriesOfPart(
  user: UserRecord,
  report: PartReport,
  sources: ExportSources,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { contributions, clock, log } = sources
  const onFailure = (error: unknown): void =>
    log.warn('Data of an account could not be exported; its archive is incomplete.', { user_id: user.id, part: report.id, error })
  const lease = contributions.acquire(userData, report.id)
  if (!lease) {
    addProblem(report, undefined)
    return
  }
  try {
    const forbidden = await forbiddenOperation(lease.value.shownBy, { userId: user.id, sources, signal })
    if (forbidden !== undefined) return addProblem(report, operationForbiddenError.create({ operation: forbidden }))
    yield* recordEntries({ data: lease.value, userId: user.id, report, clock, signal, stopped: lease.signal, onFailure })
  } catch (error) {
    signal.throwIfAborted()
    addProblem(report, error)
    onFailure(error)
  } finally {
    lease.release()
  }
}

/** The first operation that shows the same data and that the policies forbid the person. */
async function forbiddenOperation(
  operations: UserData['shownBy'] = [],
  { userId, sources, signal }: { readonly userId: string; readonly sources: ExportSources; readonly signal: AbortSignal },
): Promise<string | undefined> {
  for (const operation of operations.filter((each) => sources.isServed(each)))
    if (!(await permitsOperation(sources.policies, { userId, operation, signal }))) return operation
  return undefined
}

const shown = ({ id, folder }: PartReport) => ({ id, folder })

const stateOf = (report: PartReport) => {
  const problems = problemsOf(report)
  return { complete: problems.length === 0, problems: problems.map((problem) => ({ ...problem })) }
}

/** The question that the route for a file's content asks. */
async function mayReadFile(
  policies: Pick<PolicyService, 'isAuthorized'>,
  userId: string,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const resource = { type: 'File', id: path, attributes: { path, owner: { __entity: { type: 'User', id: userId } } } }
  return (await policies.isAuthorized({ principal: { type: 'User', id: userId }, action: 'read_file', resource }, { signal })).allowed
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const incompleteText = `This archive does not have everything. See “complete”, “problems” and “absent_plugins” in manifest.json.
Of a plugin that is gone it has the documents as they are stored (“raw_parts”). What such a plugin kept elsewhere is missing.
`
