import { type Static, Type } from '@agent-service/sdk'

const defaults = { deleted_chats_days: 30, temporary_chats_hours: 24 }

/** `plugins.settings.feature-agents`. A section that is left out stays out of the configuration. */
export const settingsSchema = Type.Object({
  deleted_chats_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_650,
      'x-default-text': String(defaults.deleted_chats_days),
      'x-unit': 'days',
      description: 'How long deleted chats can be restored. 0: a chat is deleted for good at once.',
    }),
  ),
  temporary_chats_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 8_760,
      'x-default-text': String(defaults.temporary_chats_hours),
      'x-unit': 'hours',
      description: 'How long after its last activity a temporary chat is deleted for good. Applies to chats that begin afterwards.',
    }),
  ),
})

export type AgentSettings = Static<typeof settingsSchema>

/** The settings with their defaults. */
export const settingsOf = (given: AgentSettings): Required<AgentSettings> => ({ ...defaults, ...given })
