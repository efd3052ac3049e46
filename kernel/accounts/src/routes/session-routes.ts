import { namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  type Principal,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { SessionRecord } from '../records/records.js'
import type { Sessions } from '../sessions/sessions.js'
import { callerOf, sessionIdOf } from './own-session.js'

/** A sign-in on one device, as the API shows it. */
export const sessionSchema = namedObject('Session', {
  id: Type.String(),
  created_at: Type.String(),
  last_used_at: Type.String({ description: 'When it began or was last refreshed.' }),
  expires_at: Type.String({ description: 'When it ends unless it is refreshed.' }),
  address: Type.String(),
  user_agent: Type.String(),
  current: Type.Boolean({ description: 'Whether this request uses it.' }),
})

export const presentSession = (
  { id, created_at, rotated_at, refresh_expires_at, address, user_agent }: SessionRecord,
  principal: Principal | undefined,
) => ({
  ...{ id, created_at, last_used_at: rotated_at, expires_at: refresh_expires_at, address, user_agent },
  current: id === principal?.sessionId,
})

/** The devices on which the caller is signed in. */
export function createSessionRoutes(dependencies: { readonly accounts: UserAccounts; readonly sessions: Sessions }): readonly HttpRoute[] {
  const { accounts, sessions } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/sessions',
      operationId: 'listSessions',
      summary: 'Where the caller is signed in, the latest sign-in first',
      tags: ['accounts'],
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(sessionSchema) } },
      async handle({ principal, query }) {
        const page = await sessions.listOf(await callerOf(accounts, principal), query)
        return ok({
          items: page.items.map((session) => presentSession(session, principal)),
          next_cursor: page.nextCursor ?? null,
        })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/auth/sessions/{session_id}',
      operationId: 'endSession',
      summary: 'Sign a device out',
      description: 'Its access tokens and streams end at once.',
      tags: ['accounts'],
      auth: 'user',
      session: true,
      params: Type.Object({ session_id: Type.String() }),
      answers: { 204: { description: 'The session has ended.' } },
      async handle({ principal, params, address }) {
        sessionIdOf(principal)
        const session = await sessions.live(params.session_id)
        if (session?.user_id !== principal?.userId) throw notFoundError.create({ what: 'session' })
        await sessions.end(params.session_id, address)
        return noContent()
      },
    }),
  ]
}
