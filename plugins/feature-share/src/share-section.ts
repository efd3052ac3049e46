import { type Static, Type } from '@agent-service/sdk'

/** Section `share`. */
export const shareSection = Type.Object(
  {
    ttl_secs: Type.Integer({ description: 'How long a new link lives.', default: 2_592_000, minimum: 1, 'x-unit': 'seconds' }),
    cleanup_interval_secs: Type.Integer({
      description: 'How often expired links are deleted.',
      default: 21_600,
      minimum: 1,
      'x-harmless': true,
      'x-unit': 'seconds',
    }),
  },
  { title: 'Share links', description: 'Short links to files and chats.', additionalProperties: false },
)

export type ShareSettings = Static<typeof shareSection>
