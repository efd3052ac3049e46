import { type Static, Type } from '@agent-service/sdk'

/** Section `database`: which store, and where. */
export const databaseSection = Type.Object(
  {
    driver: Type.Union([Type.Literal('sqlite'), Type.Literal('lowdb')], {
      default: 'sqlite',
      'x-planned': {
        postgres: 'is not part of this version: no plugin connects to a database server yet. Use “sqlite” or “lowdb”',
      },
      description: 'The store: sqlite (embedded) or lowdb (readable JSON files, small deployments).',
    }),
    path: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/db',
      minLength: 1,
      description: 'Directory of the database.',
    }),
    url: Type.Optional(
      Type.String({
        'x-secret': true,
        'x-no-effect': 'No database of this version is a server.',
        description: 'Connection URL of the database server.',
      }),
    ),
  },
  { title: 'Database', description: 'Which store is used, and where it is.' },
)

export type DatabaseSection = Static<typeof databaseSection>
