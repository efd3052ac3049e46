import { type Static, Type } from '@agent-service/sdk'

const setting = (limit: { readonly default: number; readonly maximum: number; readonly unit?: string; readonly description: string }) =>
  Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: limit.maximum, 'x-default-text': String(limit.default), description: limit.description },
      ...(limit.unit === undefined ? {} : { 'x-unit': limit.unit }),
    }),
  )

const defaults = { max_concurrent_per_agent: 3, max_open_per_user: 1_000, max_seconds: 3_600, history_days: 90, late_secs: 300 }

/** `plugins.settings.feature-tasks`. A section that is left out stays out of the configuration. */
export const settingsSchema = Type.Object({
  max_concurrent_per_agent: setting({
    ...{ default: defaults.max_concurrent_per_agent, maximum: 1_000 },
    description: 'How many tasks of one agent may be at work at the same time.',
  }),
  max_open_per_user: setting({
    ...{ default: defaults.max_open_per_user, maximum: 100_000 },
    description: 'How many tasks that have not ended one user may have.',
  }),
  max_seconds: setting({
    ...{ default: defaults.max_seconds, maximum: 604_800, unit: 'seconds' },
    description: 'How long one run of a task may be at work. A task can ask for less.',
  }),
  late_secs: setting({
    ...{ default: defaults.late_secs, maximum: 86_400, unit: 'seconds' },
    description: 'How long after its time the run of a task may begin before its owner is told that it is late.',
  }),
  history_days: setting({
    ...{ default: defaults.history_days, maximum: 3_650, unit: 'days' },
    description: 'How long ended executions, and tasks that happen once and have ended, are kept.',
  }),
})

export type TaskSettings = Static<typeof settingsSchema>

/** The settings with their defaults. */
export const settingsOf = (given: TaskSettings): Required<TaskSettings> => ({ ...defaults, ...given })
