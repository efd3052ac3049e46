import { type Static, Type } from '@agent-service/sdk'

/** `plugins.settings.feature-tasks`. */
export const settingsSchema = Type.Object({
  max_concurrent_per_agent: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 1_000,
    description: 'How many tasks of one agent may be at work at the same time.',
  }),
  max_open_per_user: Type.Integer({
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
    description: 'How many tasks that have not ended one user may have.',
  }),
  max_seconds: Type.Integer({
    default: 3_600,
    minimum: 1,
    maximum: 604_800,
    'x-unit': 'seconds',
    description: 'How long one run of a task may be at work. A task can ask for less.',
  }),
  history_days: Type.Integer({
    default: 90,
    minimum: 1,
    maximum: 3_650,
    'x-unit': 'days',
    description: 'How long ended executions, and tasks that happen once and have ended, are kept.',
  }),
})

export type TaskSettings = Static<typeof settingsSchema>
