import { namedObject, Type } from '@agent-service/sdk'

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])
const text = Type.String()
const count = Type.Integer()

export const verificationSchema = namedObject('BackupVerification', {
  verified_at: text,
  sound: Type.Boolean({ description: 'Complete and undamaged, and its database opens.' }),
  problem: nullable(text),
  proof: nullable(
    Type.String({
      description:
        'Whether this service made it and nothing was changed since: `proven`; `public_secret` if the proof is under the built-in development secret, which everyone knows; `other_secret` if it was made under another encryption secret than the one in use; `absent` if it has no proof. Null if it is not sound, or was verified by an earlier version.',
      examples: ['proven'],
    }),
  ),
  documents: count,
  references: Type.Integer({ description: 'Files to which stored messages refer.' }),
  missing: Type.Integer({ description: 'Those of them that are not in the backup: their owners had deleted them.' }),
})

const notedSchema = namedObject('NotedFile', {
  user: nullable(Type.String({ description: 'The handle of its owner; null for a file of the whole service.' })),
  path: Type.String({ examples: ['workspaces/agent/disk.img'] }),
  reason: Type.String({ description: '`too_sparse` or `unreadable` (left out), or `changing` (kept as it was then).' }),
})

export const backupSchema = namedObject('Backup', {
  id: Type.String({ examples: ['2026-11-21T03-56-42.271Z'] }),
  path: Type.String({ examples: ['/var/lib/agent-service/system/backups/2026-11-21T03-56-42.271Z.tar'] }),
  created_at: Type.String({ description: 'What was acknowledged before is in it.' }),
  bytes: count,
  readable: Type.Boolean({ description: 'False if its end is damaged, and the members below are not known.' }),
  service: nullable(Type.String({ description: 'The address or machine of the service that made it.' })),
  service_version: nullable(text),
  driver: nullable(text),
  files: nullable(count),
  left_out: nullable(Type.Integer({ description: 'Links, sockets and names that are no text.' })),
  too_sparse: nullable(
    Type.Integer({
      description: 'Files that were left out, since they have gigabytes of holes, or would take far more room than on the disk.',
    }),
  ),
  unreadable: nullable(
    Type.Integer({ description: 'Files and folders of users that were left out, since they cannot be read, or lie too deep.' }),
  ),
  noted: Type.Array(notedSchema, {
    description: 'The first hundred files that were left out for one of these two reasons, or changed whenever they were read.',
  }),
  secrets_left_out: Type.Array(text, { description: 'Settings whose secrets the configuration file has literally.' }),
  verification: nullable(verificationSchema),
})

const progressSchema = namedObject('BackupProgress', {
  step: Type.String({ description: '`files`, `database` or `check`.' }),
  bytes: count,
  files: count,
  total_bytes: nullable(count),
})

const runSchema = namedObject('BackupRun', {
  id: text,
  trigger: Type.String({ description: '`request` or `schedule`.' }),
  state: Type.String({ description: '`running`, `succeeded`, `failed` or `cancelled`.' }),
  started_at: text,
  ended_at: nullable(text),
  bytes: nullable(count),
  error: nullable(text),
})

export const statusSchema = namedObject('BackupStatus', {
  running: nullable(
    namedObject('RunningBackup', {
      id: text,
      kind: Type.String({ description: '`backup` or `verification`.' }),
      trigger: text,
      started_at: text,
      progress: progressSchema,
    }),
  ),
  last_run: nullable(runSchema),
  last_good: nullable(namedObject('GoodBackup', { id: text, created_at: text, bytes: count })),
  schedule: namedObject('BackupSchedule', {
    cron: nullable(text),
    timezone: nullable(text),
    every_hours: nullable(count),
    next_at: nullable(text),
    keep: count,
    keep_days: nullable(count),
  }),
  folder: text,
  free_bytes: nullable(Type.Integer({ description: 'Room in the folder; null if it does not exist yet.' })),
})
