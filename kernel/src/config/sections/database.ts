import { type Static, Type } from '@agent-service/sdk'

/** Section `database`: which store, and where. */
export const databaseSection = Type.Object(
  {
    driver: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres'), Type.Literal('lowdb')], {
      default: 'sqlite',
      description:
        'The store: sqlite (embedded), postgres (a server, for several nodes) or lowdb (readable JSON files, small deployments).',
    }),
    path: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/db',
      minLength: 1,
      description: 'Directory of the embedded database (sqlite, lowdb).',
    }),
    url: Type.Optional(Type.String({ 'x-secret': true, description: 'Connection URL of the database server (postgres).' })),
  },
  { title: 'Database', description: 'Which store is used, and where it is.' },
)

export type DatabaseSection = Static<typeof databaseSection>
