import { type Static, Type } from '@agent-service/sdk'

const defaults = { keep_days: 90, max_per_user: 1_000, push: true, push_devices_per_user: 10, push_answer_seconds: 30, push_key: 1 }

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
  push: Type.Optional(
    Type.Boolean({
      'x-default-text': 'true',
      description:
        'Whether people can have notifications on their devices (Web Push). Push services of browser vendors carry them, encrypted.',
    }),
  ),
  push_devices_per_user: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      'x-default-text': String(defaults.push_devices_per_user),
      description: 'How many devices of one user can have notifications.',
    }),
  ),
  push_answer_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_600,
      'x-default-text': String(defaults.push_answer_seconds),
      'x-unit': 'seconds',
      description: 'Of an answer that took at least so long, a person who looks at no page of the console is told.',
    }),
  ),
  push_contact: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^(https://|mailto:)[^\\s]+$',
      'x-default-text': 'the address of the console',
      description: 'Whom operators of push services can ask: an address with https or mailto.',
    }),
  ),
  push_key: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      'x-default-text': String(defaults.push_key),
      description: 'The number of the key pair by which push services know this service. A higher one makes a new pair for new devices.',
    }),
  ),
})

export type NotificationSettings = Static<typeof settingsSchema>

/** The settings with their defaults. */
export const settingsOf = (given: NotificationSettings): NotificationSettings & typeof defaults => ({ ...defaults, ...given })
