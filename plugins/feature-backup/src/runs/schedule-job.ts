import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { nextTime } from '@agent-service/sdk/schedule'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Timing } from '../configuration.js'
import type { BackupRunner } from './backup-runner.js'

const lookSeconds = 60
const hourMs = 3_600_000
const timeoutSeconds = 24 * 3_600

/** Makes the backups of the schedule; undefined if there is none. */
export function createBackupJob(
  timing: Timing,
  { runner, clock }: { readonly runner: BackupRunner; readonly clock: Clock },
): SchedulerJob | undefined {
  const job = { id: 'feature-backup.run', title: 'Back up the service', timeoutSeconds }
  const run = async (signal: AbortSignal): Promise<void> => void (await runner.run({ trigger: 'schedule', signal }))
  if (timing.kind === 'never') return undefined
  if (timing.kind === 'cron') return defineJob({ ...job, schedule: timing.schedule, run: ({ signal }) => run(signal) })
  return defineJob({
    ...job,
    everySeconds: lookSeconds,
    async run({ signal }) {
      const due = await nextBackup(timing, { runner, now: clock.now() })
      if (runner.current() === undefined && due !== null && due <= clock.now()) await run(signal)
    },
  })
}

/** When the next backup is due by the schedule, in milliseconds since 1970; null for never. */
export async function nextBackup(
  timing: Timing,
  { runner, now }: { readonly runner: BackupRunner; readonly now: number },
): Promise<number | null> {
  if (timing.kind === 'never') return null
  if (timing.kind === 'cron') return nextTime(timing.schedule, now) ?? null
  const last = await runner.lastRun()
  return last === undefined ? now : Date.parse(last.started_at) + timing.hours * hourMs
}
