import { type Static, Type } from '@agent-service/sdk'

/** Section `cache`: the entity cache in front of the database. */
export const cacheSection = Type.Object(
  {
    entity_ttl_secs: Type.Integer({
      default: 300,
      minimum: 0,
      'x-unit': 'seconds',
      description: 'How long a cached entity lives. 0 caches nothing.',
    }),
    entity_max_capacity: Type.Integer({ default: 1000, minimum: 0, description: 'Maximum number of cached entities. 0 caches nothing.' }),
  },
  { title: 'Cache', description: 'The entity cache in front of the database.' },
)

export type CacheSection = Static<typeof cacheSection>
