import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of backups. */
export interface BackupMetrics {
  /** `at`: when it began, in milliseconds since 1970. */
  succeeded(backup: { readonly at: number; readonly seconds: number; readonly bytes: number }): void
  failed(): void
  /** The last good backup, as it was found at the start. */
  known(backup: { readonly at: number; readonly bytes: number }): void
}

const seconds = [1, 10, 60, 300, 1_800, 7_200, 21_600]

export function createBackupMetrics(metrics: Metrics, now: () => number): BackupMetrics {
  let last: { readonly at: number; readonly bytes: number } | undefined
  const made = metrics.counter({ name: 'backups_total', help: 'Backups by outcome: succeeded or failed.', labels: ['outcome'] })
  const durations = metrics.histogram({
    name: 'backup_duration_seconds',
    help: 'Time from the begin of a backup to its verification.',
    labels: [],
    buckets: seconds,
  })
  metrics.gauge({
    name: 'backup_last_good_age_seconds',
    help: 'Time since the begin of the newest verified backup; absent if there is none.',
    labels: [],
    read: () => (last ? [{ labels: {}, value: Math.max(0, (now() - last.at) / 1_000) }] : []),
  })
  metrics.gauge({
    name: 'backup_last_good_bytes',
    help: 'Size of the newest verified backup; absent if there is none.',
    labels: [],
    read: () => (last ? [{ labels: {}, value: last.bytes }] : []),
  })
  return {
    succeeded(backup) {
      last = backup
      made.add({ outcome: 'succeeded' })
      durations.observe({}, backup.seconds)
    },
    failed: () => made.add({ outcome: 'failed' }),
    known(backup) {
      last = backup
    },
  }
}
