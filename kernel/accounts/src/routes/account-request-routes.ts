import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { namedObject, Type } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, noContent, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import { profileOf, userProfileSchema } from '../accounts/user-profile.js'
import type { AccountRequests } from '../admission/account-requests.js'
import { emailTakenError, usernameTakenError } from '../records/errors.js'

const requestSchema = namedObject('AccountRequest', {
  id: Type.String(),
  username: Type.String(),
  email: Type.Union([Type.String(), Type.Null()], { description: 'As the person typed it, or as the identity provider reported it.' }),
  name: Type.Union([Type.String(), Type.Null()]),
  issuer: Type.Union([Type.String(), Type.Null()], { description: 'The identity provider. Null: the person has chosen a password.' }),
  created_at: Type.String(),
  expires_at: Type.String({ description: 'Without a decision until then, the person has to ask again.' }),
})
const params = Type.Object({ request_id: Type.String() })
const tags = ['administration']

/** The routes with which admins decide about people who wait for an account. */
export function createAccountRequestRoutes(requests: AccountRequests): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/account-requests',
      operationId: 'listAccountRequests',
      summary: 'People who wait for an account, the earliest first',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(requestSchema) } },
      async handle({ query }) {
        const page = await requests.list(query)
        const items = page.items.map(({ id, username, email, name, issuer, created_at, expires_at }) => ({
          id,
          username,
          email,
          name,
          issuer,
          created_at,
          expires_at,
        }))
        return ok({ items, next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/account-requests/{request_id}/approve',
      operationId: 'approveAccountRequest',
      summary: 'Give a person who waits their account',
      description: 'It is the account of a user, with the password that the person has chosen or the identity that they signed in with.',
      tags,
      auth: 'admin',
      params,
      errors: [usernameTakenError, emailTakenError],
      answers: { 201: { description: 'The account.', schema: userProfileSchema } },
      async handle(request) {
        return created(profileOf(await requests.approve(request.params.request_id, actorOfRequest(request))))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/account-requests/{request_id}',
      operationId: 'refuseAccountRequest',
      summary: 'Refuse a person who waits',
      description: 'What they entered is deleted. They may ask again.',
      tags,
      auth: 'admin',
      params,
      answers: { 204: { description: 'The request is gone.' } },
      async handle(request) {
        await requests.refuse(request.params.request_id, actorOfRequest(request))
        return noContent()
      },
    }),
  ]
}
