import { type Static, Type } from '@agent-service/sdk'

const defaults = { keep_days: 90, max_per_user: 1_000 }

/** `plugins.settings.feature-notifications`. */
export const settingsSchema = Type.Object({
  keep_days: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 3_650, 'x-default-text': String(defaults.keep_days), 'x-unit': 'days' },
      description: 'How long notifications are kept.',
    }),
  ),
  max_per_user: Type.Optional(
    Type.Integer({
      ...{ minimum: 10, maximum: 10_000, 'x-default-text': String(defaults.max_per_user) },
      description: 'How many notifications of one user are kept; beyond it the oldest are deleted.',
    }),
  ),
})

export type NotificationSettings = Static<typeof settingsSchema>

/** The settings with their defaults. */
export const settingsOf = (given: NotificationSettings): Required<NotificationSettings> => ({ ...defaults, ...given })
