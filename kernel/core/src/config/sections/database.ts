import { type Static, Type } from '@agent-service/sdk'

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
    path: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/db',
      minLength: 1,
      description: 'Directory of the database.',
    }),
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

export type DatabaseSection = Static<typeof databaseSection>
