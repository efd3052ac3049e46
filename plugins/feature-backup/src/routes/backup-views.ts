import { statfs } from 'node:fs/promises'
import type { JsonObject } from '@agent-service/sdk'
import type { Backups } from '@agent-service/sdk/services/backups'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Settings } from '../configuration.js'
import type { BackupFolder, StoredBackup } from '../runs/backup-folder.js'
import type { Verification } from '../runs/backup-records.js'
import type { BackupRunner } from '../runs/backup-runner.js'
import { nextBackup } from '../runs/schedule-job.js'

/** What the routes use. */
export interface RouteParts {
  readonly backups: Pick<Backups, 'describe'>
  readonly folder: BackupFolder
  readonly runner: BackupRunner
  readonly settings: Settings
  readonly clock: Pick<Clock, 'now'>
}

export const viewOfVerification = ({ id: _id, ...verification }: Verification): JsonObject => ({ ...verification })

/** A backup as the API has it. */
export async function viewOfBackup(stored: StoredBackup, { backups, runner }: RouteParts): Promise<JsonObject> {
  const [said, verification] = await Promise.all([backups.describe(stored.path), runner.verification(stored.id)])
  return {
    ...{
      id: stored.id,
      path: stored.path,
      created_at: said?.createdAt ?? stored.createdAt,
      bytes: stored.bytes,
      readable: said !== undefined,
    },
    service: said?.service ?? null,
    ...{ service_version: said?.serviceVersion ?? null, driver: said?.driver ?? null, files: said?.files ?? null },
    ...{
      too_sparse: said?.tooSparse ?? null,
      unreadable: said?.unreadable ?? null,
      noted: (said?.noted ?? []).map((file) => ({ ...file })),
    },
    ...{ left_out: said?.leftOut ?? null, secrets_left_out: [...(said?.secretsLeftOut ?? [])] },
    verification: verification ? viewOfVerification(verification) : null,
  }
}

/** The state of backups as the API has it. */
export async function viewOfStatus({ runner, settings, folder, clock }: RouteParts): Promise<JsonObject> {
  const { timing, keep, keepDays } = settings
  const [last, good, next, free] = await Promise.all([
    runner.lastRun(),
    runner.lastGood(),
    nextBackup(timing, { runner, now: clock.now() }),
    statfs(folder.folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
  ])
  return {
    running: (runner.current() ?? null) as JsonObject | null,
    last_run: last ? withoutRevision(last) : null,
    last_good: good ? { id: good.id, created_at: good.createdAt, bytes: good.bytes } : null,
    schedule: {
      ...(timing.kind === 'cron'
        ? { cron: timing.schedule.cron, timezone: timing.schedule.timezone, every_hours: null }
        : { cron: null, timezone: null, every_hours: timing.kind === 'hours' ? timing.hours : null }),
      ...{ next_at: next === null ? null : new Date(next).toISOString(), keep, keep_days: keepDays ?? null },
    },
    folder: folder.folder,
    free_bytes: free,
  }
}

const withoutRevision = ({ id, trigger, state, started_at, ended_at, bytes, error }: JsonRun): JsonObject => ({
  ...{ id, trigger, state, started_at, ended_at, bytes, error },
})

type JsonRun = NonNullable<Awaited<ReturnType<BackupRunner['lastRun']>>>
