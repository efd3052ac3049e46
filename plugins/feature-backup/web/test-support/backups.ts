import type { components } from '../api/schema.js'

export type Schemas = components['schemas']

/** A backup that is kept, verified and proven to be made by the service. */
export const backup = (input: Partial<Schemas['Backup']> = {}): Schemas['Backup'] => ({
  id: 'backup_1',
  created_at: '2026-12-01T03:00:00Z',
  path: '/data/backups/backup_1.tar',
  bytes: 2_000_000,
  files: 12,
  driver: 'sqlite',
  readable: true,
  service: 'This service',
  service_version: '0.1.0',
  secrets_left_out: [],
  left_out: 0,
  noted: [],
  too_sparse: 0,
  unreadable: 0,
  verification: verification(),
  ...input,
})

/** What was found when a backup was verified: all is well. */
export const verification = (input: Partial<Schemas['BackupVerification']> = {}): Schemas['BackupVerification'] => ({
  documents: 100,
  references: 3,
  missing: 0,
  problem: null,
  proof: 'proven',
  sound: true,
  verified_at: '2026-12-01T03:01:00Z',
  ...input,
})

/** A backup that is being made. */
export const running = (progress: Partial<Schemas['BackupProgress']> = {}): Schemas['RunningBackup'] => ({
  id: 'backup_2',
  kind: 'backup',
  trigger: 'request',
  started_at: '2026-12-01T08:00:00Z',
  progress: { step: 'files', files: 2, bytes: 1_000, total_bytes: null, ...progress },
})

/** Nothing was done yet, and there is no schedule. */
export const status = (input: Partial<Schemas['BackupStatus']> = {}): Schemas['BackupStatus'] => ({
  folder: '/data/backups',
  free_bytes: 5_000_000,
  last_good: null,
  last_run: null,
  running: null,
  schedule: { cron: null, every_hours: null, keep: 5, keep_days: null, next_at: null, timezone: null },
  ...input,
})
