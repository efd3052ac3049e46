import { type Static, Type } from '@agent-service/sdk'
import type { CalendarSchedule } from '@agent-service/sdk/schedule'

const defaultKeep = 7

/** `plugins.settings.feature-backup`. A section that is left out stays out of the configuration. */
export const settingsSchema = Type.Object({
  cron: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'When backups are made: minute, hour, day of the month, month, day of the week. Unset, and `every_hours` too: only on request.',
      examples: ['0 3 * * *'],
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 100,
      'x-default-text': 'server.timezone',
      description: 'The time zone of `cron`.',
      examples: ['Europe/Vienna'],
    }),
  ),
  every_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 8_760,
      'x-unit': 'hours',
      description: 'Makes a backup whenever the last one is this old. No effect beside `cron`.',
    }),
  ),
  folder: Type.Optional(
    Type.String({
      'x-path': true,
      'x-default-text': '{storage.data_dir}/system/backups',
      description: 'Where backups are kept. Best on another disk.',
      examples: ['/mnt/backups'],
    }),
  ),
  keep: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 10_000, 'x-default-text': String(defaultKeep) },
      description: 'How many backups are kept. Older ones are deleted after a new one was verified.',
    }),
  ),
  keep_days: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 36_500, 'x-unit': 'days' },
      description: 'Backups that are older are deleted too. The newest verified one is always kept.',
    }),
  ),
})

export type BackupSettings = Static<typeof settingsSchema>

/** When backups are made by themselves. */
export type Timing =
  | { readonly kind: 'cron'; readonly schedule: CalendarSchedule & { readonly timezone: string } }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'never' }

/** The settings with their defaults. */
export interface Settings {
  readonly timing: Timing
  readonly folder: string | undefined
  readonly keep: number
  readonly keepDays: number | undefined
}

export const settingsOf = (given: BackupSettings, timezone: string): Settings => ({
  timing: timingOf(given, timezone),
  folder: given.folder,
  keep: given.keep ?? defaultKeep,
  keepDays: given.keep_days,
})

function timingOf({ cron, every_hours: hours, ...given }: BackupSettings, timezone: string): Timing {
  if (cron !== undefined) return { kind: 'cron', schedule: { cron, timezone: given.timezone ?? timezone } }
  return hours === undefined ? { kind: 'never' } : { kind: 'hours', hours }
}
