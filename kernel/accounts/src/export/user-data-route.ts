import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { UserDataSizes } from './user-data-sizes.js'

const countOrNull = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const sizesSchema = namedObject('UserDataSizes', {
  parts: Type.Array(
    namedObject('UserDataSize', {
      id: Type.String({ description: 'The part, as in an export; for raw documents `raw:` and their collection.', examples: ['agents'] }),
      plugin: Type.String({ description: 'The plugin that keeps it.', examples: ['feature-agents'] }),
      state: Type.String({ description: 'The state of the plugin; `gone` when none with its id is installed.', examples: ['active'] }),
      raw: Type.Boolean({ description: 'Documents that no running plugin answers for, counted as they are stored.' }),
      records: countOrNull('Roughly how many. Null if they could not be counted.'),
      bytes: countOrNull('Roughly how much. Null if it could not be measured.'),
    }),
  ),
  files: namedObject('UserFilesSize', {
    bytes: Type.Integer({ minimum: 0 }),
    max_bytes: countOrNull('The limit; null if there is none.'),
  }),
  absent_plugins: Type.Array(Type.String(), {
    description:
      'Plugins that may keep data of the account but do not run. What they keep beside their raw documents is erased when they run again.',
  }),
})

/** What an account has: what deleting it would remove. */
export function createUserDataRoute(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly sizes: UserDataSizes
}): HttpRoute {
  const { accounts, sizes } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/admin/users/{user_id}/data',
    operationId: 'getUserDataSizes',
    summary: 'How much data an account has',
    description: 'What deleting the account would remove, by the parts that keep it. The numbers are estimates.',
    tags: ['administration'],
    auth: 'admin',
    params: Type.Object({ user_id: Type.String() }),
    answers: { 200: { description: 'The sizes, by part.', schema: sizesSchema } },
    async handle({ params, signal }) {
      const user = await accounts.get(params.user_id)
      if (!user) throw notFoundError.create({ what: 'user' })
      return ok(await sizes.of(user, signal))
    },
  })
}
