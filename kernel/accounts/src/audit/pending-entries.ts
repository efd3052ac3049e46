import { chown, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createDurableFileSystem, type FileOwner, replaceFile } from '@agent-service/kernel-core/disk'
import { defineError, type Logger, Type, validate } from '@agent-service/sdk'
import { type AuditEntry, type AuditLog, auditRecordOf } from './audit-log.js'
import { type AuditRecord, auditKinds } from './audit-records.js'

/** The folder for pending audit entries is not a folder. */
export const auditFolderUnusableError = defineError<{ readonly folder: string }>({
  code: 'audit_folder_unusable',
  status: 500,
  title: 'Audit folder not usable',
  message: ({ folder }) =>
    `${folder} is not a folder, so the command cannot be noted in the audit log. The command was not run; remove ${folder} and try again.`,
})

const maxEntryBytes = 128 * 1024
const maxTaken = 1_000

const fileSystem = createDurableFileSystem()

/**
 * The folder for entries of commands while the database cannot be written: the service may be using
 * it, or it does not exist yet.
 */
const folderOf = (dataFolder: string): string => path.join(dataFolder, 'system', 'audit-pending')

const state = () => Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

/** The permitted entries: of a command, without a user. */
const pendingSchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }),
  kind: Type.Union(auditKinds.map((kind) => Type.Literal(kind))),
  source: Type.Literal('command_line'),
  actor_id: Type.Null(),
  session_id: Type.Null(),
  token_id: Type.Null(),
  operation: Type.String({ maxLength: 100 }),
  request_id: Type.Null(),
  subject_id: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
  address: Type.Null(),
  before: state(),
  after: state(),
  details: Type.Record(Type.String(), Type.Unknown()),
})

/**
 * Stores an entry for what a command is about to do; durable when this resolves. The service adds
 * it to the audit log within a minute, or at its next start. Does nothing if there is no data
 * folder, since then there is no audit log. @throws `audit_folder_unusable`
 */
export async function notePending(dataFolder: string, entry: AuditEntry, now: number): Promise<void> {
  const home = await stat(dataFolder).catch(ignoreMissing)
  if (!home?.isDirectory()) return
  const folder = folderOf(dataFolder)
  // An entry written by root gets the owner of the data folder, so that the service can read it.
  const owner = process.getuid?.() === 0 && home.uid !== 0 ? { user: home.uid, group: home.gid } : undefined
  for (const each of [path.dirname(folder), folder]) await createOwned(each, owner)
  const record = auditRecordOf(entry, now, (text) => text)
  await replaceFile(fileSystem, path.join(folder, `${record.id}.json`), JSON.stringify(record), { owner })
}

async function createOwned(folder: string, owner: FileOwner | undefined): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw auditFolderUnusableError.create({ folder }, { cause: error })
    throw error
  })
  // A link could redirect a command run by root to a folder that only root may write.
  if (!(await lstat(folder)).isDirectory()) throw auditFolderUnusableError.create({ folder })
  if (made === undefined) return
  if (owner) await chown(folder, owner.user, owner.group)
  await fileSystem.syncFolder(path.dirname(folder))
}

/**
 * Adds the pending entries of commands to the log, each once, even after an interruption. At most
 * 1,000 at a time. Invalid entries are set aside with a warning; entries that cannot be read or
 * stored now stay for the next time. Never throws.
 */
export async function takePending(dataFolder: string, dependencies: { readonly audit: AuditLog; readonly log: Logger }): Promise<void> {
  const { log } = dependencies
  const folder = folderOf(dataFolder)
  const warn = (file: string) => (error: unknown) =>
    log.warn('A pending entry for the audit log cannot be added now; the next attempt is within a minute.', { file, error })
  const names = (await readdir(folder).catch(ignoreMissing).catch(warn(folder))) ?? []
  const taken = names.filter((name) => name.endsWith('.json')).sort()
  for (const name of taken.slice(0, maxTaken)) {
    const file = path.join(folder, name)
    await takeFile(file, dependencies).catch(warn(file))
  }
}

async function takeFile(file: string, { audit, log }: { readonly audit: AuditLog; readonly log: Logger }): Promise<void> {
  const record = await readEntry(file)
  if (typeof record !== 'string') {
    await audit.take(record)
    await fileSystem.removeFile(file)
    return
  }
  log.warn('A pending entry for the audit log is not valid and was set aside.', { file, reason: record })
  await fileSystem.rename(file, `${file}.refused`)
}

/** An entry, or why the file is not a valid entry. */
async function readEntry(file: string): Promise<AuditRecord | string> {
  const { size } = await stat(file)
  if (size > maxEntryBytes) return `it has ${size} bytes; expected at most ${maxEntryBytes}`
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return 'it is not JSON'
  }
  const [problem] = validate(pendingSchema, value)
  if (problem) return `${problem.path} ${problem.message}`
  return path.basename(file) === `${(value as AuditRecord).id}.json` ? (value as AuditRecord) : 'its file name does not match its id'
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
