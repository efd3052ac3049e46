import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { accepted, defineRoute, type HttpRoute, noContent, ok } from '@agent-service/sdk/contracts/http-route'
import { slotStandbyRefusedError } from '@agent-service/sdk/services/slots'
import { userOf } from '../common/caller.js'
import { migrationRefusedError } from '../common/errors.js'
import { migrationStates, type StoredMigration } from '../migration/migration-store.js'
import type { Migrations } from '../migration/migrations.js'
import { revertedError } from '../migration/run-migration.js'

const tags = ['memory']
const path = '/api/admin/memory/migration'

const migrationSchema = namedObject('MemoryMigration', {
  from: Type.String({ description: 'The back end that has the memories.', examples: ['basic'] }),
  to: Type.String({ description: 'The one that gets them.', examples: ['pkm'] }),
  state: Type.Union(
    migrationStates.map((state) => Type.Literal(state)),
    {
      description:
        '`copying`: people go on chatting meanwhile. `ready`: every copy was compared; set `memory.backend` to `to` and restart. `finishing`: what has changed since is caught up; changes of memories wait until their person’s are. `cleaning`: the old back end is emptied. `undoing`: it was given up, and the copies are removed. `failed`: `error` says why; begin again, or give up.',
    },
  ),
  users: Type.Integer({ minimum: 0, description: 'Users that this state is done with.' }),
  failed: Type.Integer({ minimum: 0, description: 'Users whose copies differ.' }),
  records: Type.Integer({ minimum: 0, description: 'Their records, forgotten ones too.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it does not go on; null: it does.', examples: [null] }),
  started_at: Type.String({ examples: ['2026-01-31T10:00:00.000Z'] }),
  updated_at: Type.String({ examples: ['2026-01-31T10:00:05.000Z'] }),
})

const viewOf = ({ from, to, state, users, failed, records, error, started_at, updated_at }: StoredMigration): JsonObject => ({
  ...{ from, to, state, users, failed, records, error, started_at, updated_at },
})

/** The move of everyone's memories to another back end. */
export const createMigrationRoutes = (migrations: Migrations): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'getMemoryMigration',
    summary: 'Read how far the move of memories to another back end is',
    tags,
    auth: 'admin',
    answers: {
      200: {
        description: 'The last migration.',
        schema: namedObject('MemoryMigrationState', {
          migration: Type.Union([migrationSchema, Type.Null()], { description: 'Null: there was none, or it was given up.' }),
        }),
      },
    },
    async handle() {
      const migration = await migrations.current()
      return ok({ migration: migration ? viewOf(migration) : null })
    },
  }),
  defineRoute({
    method: 'POST',
    path,
    operationId: 'startMemoryMigration',
    summary: 'Copy everyone’s memories to another back end',
    description:
      'Copies while the service runs, users one after another, and compares the copies. It goes on by itself after a restart. When it is `ready`, set `memory.backend` and restart the service.',
    tags,
    auth: 'admin',
    body: {
      kind: 'json',
      schema: Type.Object({ to: Type.String({ minLength: 1, maxLength: 100, description: 'The id of the other back end.' }) }),
      example: { to: 'pkm' },
    },
    errors: [migrationRefusedError, slotStandbyRefusedError],
    answers: { 202: { description: 'It has begun.', schema: migrationSchema } },
    handle: async (request) => accepted(viewOf(await migrations.begin(request.body.to, userOf(request)))),
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'cancelMemoryMigration',
    summary: 'Give up the move of memories',
    description:
      'What was copied is removed. Not once the other back end is in use: migrate back then. Where only the memories of some users cannot be copied, these stay in the old back end, and their users go on in the other one without them.',
    tags,
    auth: 'admin',
    errors: [migrationRefusedError, revertedError],
    answers: { 204: { description: 'It is given up.' } },
    async handle() {
      await migrations.giveUp()
      return noContent()
    },
  }),
]
