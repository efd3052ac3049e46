import { Type } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { profileOf, userProfileSchema } from './user-profile.js'

const administeredUserSchema = Type.Object({ ...userProfileSchema.properties, disabled: Type.Boolean() })

const newUserSchema = Type.Object({
  username: Type.String({ maxLength: 200 }),
  password: Type.String(),
  role: Type.Optional(Type.Union([Type.Literal('admin'), Type.Literal('user')])),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  timezone: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

/** What an admin does with accounts. */
export function createUserAdminRoutes({ accounts }: { readonly accounts: UserAccounts }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/users',
      operationId: 'listUsers',
      summary: 'All accounts, by username',
      tags: ['administration'],
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(administeredUserSchema) } },
      async handle({ query }) {
        const page = await accounts.list(query)
        return ok({
          items: page.items.map((user) => ({ ...profileOf(user), disabled: user.disabled })),
          next_cursor: page.nextCursor ?? null,
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users',
      operationId: 'createUser',
      summary: 'Create an account for somebody',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: newUserSchema, limit: 64 * 1024 },
      answers: { 201: { description: 'The account.', schema: administeredUserSchema } },
      async handle({ body }) {
        const { user } = await accounts.create(body, { trusted: true, mayBeFirst: true }, () => undefined)
        return created({ ...profileOf(user), disabled: user.disabled })
      },
    }),
  ]
}
