import { type Static, Type } from '@agent-service/sdk'
import { folder, seconds } from './fields.js'

/** Section `database`: the store and its location. */
export const databaseSection = Type.Object(
  {
    driver: Type.Union([Type.Literal('sqlite'), Type.Literal('lowdb')], {
      default: 'sqlite',
      'x-planned': {
        postgres: 'is not supported in this version: no plugin connects to a database server yet. Use “sqlite” or “lowdb”',
      },
      description: 'The store: sqlite (embedded) or lowdb (readable JSON files, small deployments).',
    }),
    path: folder('{server_data_dir}/db', 'Directory of the database.'),
    url: Type.Optional(
      Type.String({
        'x-secret': true,
        'x-no-effect': 'This version has no driver for a database server.',
        description: 'Connection URL of the database server.',
      }),
    ),
  },
  { title: 'Database', description: 'The store and its location.' },
)

/** Section `storage`: folders of files. Setting `data_dir` does not move the others. */
export const storageSection = Type.Object(
  {
    data_dir: folder('{server_data_dir}', 'Root data directory. Files of users are under users/{user_handle}/.'),
    shared_config_dir: folder('{installed_resources}', 'Shared prompts, agents and policies. Read, never written.'),
    skills_dir: folder('{server_data_dir}/skills', 'Installed shared skills.', { noEffect: 'Skills are not part of this version.' }),
    cache_dir: folder(
      '{server_data_dir}/system/cache',
      'System caches, such as the refreshed catalogue of models. May be emptied at any time.',
    ),
    max_bytes_per_user: Type.Optional(
      Type.Integer({
        minimum: 1,
        'x-unit': 'bytes',
        'x-default-text': 'unlimited',
        description: 'Maximum size of all files of one user. A write beyond it is refused.',
      }),
    ),
    ontology_dir: folder('{server_data_dir}/ontology', 'Ontologies of this deployment, loaded with the bundled ones.', {
      noEffect: 'Ontologies are not part of this version.',
    }),
  },
  { title: 'Storage', description: 'Folders of files.' },
)

/** Section `cache`: the entity cache in front of the database. */
export const cacheSection = Type.Object(
  {
    entity_ttl_secs: seconds(300, 0, 'How long a cached entity lives. 0 caches nothing.'),
    entity_max_capacity: Type.Integer({ default: 1000, minimum: 0, description: 'Maximum number of cached entities. 0 caches nothing.' }),
  },
  { title: 'Cache', description: 'The entity cache in front of the database.' },
)

export type DatabaseSection = Static<typeof databaseSection>
export type StorageSection = Static<typeof storageSection>
export type CacheSection = Static<typeof cacheSection>
