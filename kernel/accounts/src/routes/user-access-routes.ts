import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  requireConfirmedAdmin,
} from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { UserRecord } from '../records/records.js'
import type { AdministeredAccess } from '../sessions/administered-access.js'
import type { Sessions } from '../sessions/sessions.js'
import { presentSession, sessionSchema } from './session-routes.js'

const tags = ['administration']
const userParams = Type.Object({ user_id: Type.String() })

const identitySchema = namedObject('ExternalIdentity', {
  id: Type.String(),
  issuer: Type.String({ description: 'The identity provider.', examples: ['https://login.example.org'] }),
  subject: Type.String({ description: 'The id of the person there.' }),
  email: Type.Union([Type.String(), Type.Null()], { description: 'As the provider reported it at the last sign-in.' }),
  email_verified: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null if the provider does not report it.' }),
  created_at: Type.String(),
  last_sign_in_at: Type.String(),
})

/** The routes with which admins see how an account is signed in to, and end that. */
export function createUserAccessRoutes(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly sessions: Pick<Sessions, 'listOf'>
  readonly access: AdministeredAccess
}): readonly HttpRoute[] {
  const { accounts, sessions, access } = dependencies
  const userOf = async (userId: string): Promise<UserRecord> => {
    const user = await accounts.get(userId)
    if (!user) throw notFoundError.create({ what: 'user' })
    return user
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/users/{user_id}/sessions',
      operationId: 'listSessionsOfUser',
      summary: 'Where an account is signed in, the latest sign-in first',
      tags,
      auth: 'admin',
      params: userParams,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(sessionSchema) } },
      async handle({ params, query, principal }) {
        const page = await sessions.listOf(await userOf(params.user_id), query)
        return ok({ items: page.items.map((session) => presentSession(session, principal)), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/{user_id}/sessions',
      operationId: 'endSessionsOfUser',
      summary: 'Sign an account out everywhere',
      description: 'Its access tokens and streams end at once. Its personal access tokens stay; disabling the account ends those too.',
      tags,
      auth: 'admin',
      params: userParams,
      answers: { 204: { description: 'All sessions have ended.' } },
      async handle(request) {
        await access.endSessions(request.params.user_id, actorOfRequest(request))
        return noContent()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/{user_id}/sessions/{session_id}',
      operationId: 'endSessionOfUser',
      summary: 'Sign an account out on one device',
      tags,
      auth: 'admin',
      params: Type.Object({ user_id: Type.String(), session_id: Type.String() }),
      answers: { 204: { description: 'The session has ended.' } },
      async handle(request) {
        await access.endSession(request.params.user_id, request.params.session_id, actorOfRequest(request))
        return noContent()
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/users/{user_id}/identities',
      operationId: 'listIdentitiesOfUser',
      summary: 'With which identities a person signs in to an account by single sign-on',
      tags,
      auth: 'admin',
      params: userParams,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by issuer.', schema: pageSchema(identitySchema) } },
      async handle({ params, query }) {
        const { id } = await userOf(params.user_id)
        const page = await access.identitiesOf(id, query)
        return ok({ items: page.items.map(({ user_id: _, ...identity }) => identity), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/{user_id}/identities/{identity_id}',
      operationId: 'unlinkIdentityOfUser',
      summary: 'Remove an identity from an account',
      description:
        'The identity no longer signs in to the account; its sessions stay. If the account has a verified e-mail address, the next sign-in with that address may link an identity again. Needs a confirmed session (`confirmation_required`).',
      tags,
      auth: 'admin',
      confirmed: true,
      params: Type.Object({ user_id: Type.String(), identity_id: Type.String() }),
      answers: { 204: { description: 'The identity was removed.' } },
      async handle(request) {
        requireConfirmedAdmin(request.principal)
        await access.unlink(request.params.user_id, request.params.identity_id, actorOfRequest(request))
        return noContent()
      },
    }),
  ]
}
