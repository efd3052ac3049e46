import { chown, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError, type Logger, Type, validate } from '@agent-service/sdk'
import { createDurableFileSystem, type FileOwner, replaceFile } from '../disk/index.js'
import { type AuditEntry, type AuditLog, auditRecordOf } from './audit-log.js'
import { type AuditRecord, auditKinds } from './audit-records.js'

/** The folder that commands leave their entries in is something else. */
export const auditFolderUnusableError = defineError<{ readonly folder: string }>({
  code: 'audit_folder_unusable',
  status: 500,
  title: 'Audit folder not usable',
  message: ({ folder }) =>
    `${folder} is no folder, so that what is about to be done cannot be noted. Nothing was done; remove it and try again.`,
})

const maxEntryBytes = 128 * 1024
const maxTaken = 1_000

const fileSystem = createDurableFileSystem()

/** Where commands leave what they note while the database cannot be written: the service may have it, or it is not there yet. */
const folderOf = (dataFolder: string): string => path.join(dataFolder, 'system', 'audit-pending')

const state = () => Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

/** What a command may say: its own doing, and of no user. */
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
 * Notes what a command is about to do; durable when it resolves. The service takes it into the audit log within a
 * minute, or at its next start. Without a data folder there is no service that could, and nothing is noted.
 * @throws `audit_folder_unusable`.
 */
export async function notePending(dataFolder: string, entry: AuditEntry, now: number): Promise<void> {
  const home = await stat(dataFolder).catch(unlessAbsent)
  if (!home?.isDirectory()) return
  const folder = folderOf(dataFolder)
  // What root leaves here belongs to the user of the service, who has to take it.
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
  // A link could lead a command that root runs to where only root may write.
  if (!(await lstat(folder)).isDirectory()) throw auditFolderUnusableError.create({ folder })
  if (made === undefined) return
  if (owner) await chown(folder, owner.user, owner.group)
  await fileSystem.syncFolder(path.dirname(folder))
}

/**
 * Takes what commands have left into the log, each once, also where that was cut off before. At most 1,000 at a
 * time. What is no entry is set aside with a warning; what cannot be read or stored now stays for the next time.
 * Never throws.
 */
export async function takePending(dataFolder: string, dependencies: { readonly audit: AuditLog; readonly log: Logger }): Promise<void> {
  const { log } = dependencies
  const folder = folderOf(dataFolder)
  const warn = (file: string) => (error: unknown) => log.warn('What a command left for the audit log cannot be taken now.', { file, error })
  const names = (await readdir(folder).catch(unlessAbsent).catch(warn(folder))) ?? []
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
  log.warn('What a command left for the audit log is not taken.', { file, reason: record })
  await fileSystem.rename(file, `${file}.refused`)
}

/** An entry, or why it is none. */
async function readEntry(file: string): Promise<AuditRecord | string> {
  const { size } = await stat(file)
  if (size > maxEntryBytes) return `it has ${size} bytes; at most ${maxEntryBytes} are read`
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return 'it is not JSON'
  }
  const [problem] = validate(pendingSchema, value)
  if (problem) return `${problem.path} ${problem.message}`
  return path.basename(file) === `${(value as AuditRecord).id}.json` ? (value as AuditRecord) : 'its name is not its id'
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
