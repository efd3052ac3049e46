import { namedObject, Type } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { defineRoute, type HttpRoute, noContent, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { PoolState } from '../browsers/browser-pool.js'
import { browserCommandError, browserLostError, browserSlowError, browserUnavailableError } from '../common/errors.js'
import { takeScreenshot } from '../pages/screenshot.js'
import type { OpenBrowserSession, SessionRegistry } from '../sessions/session-registry.js'
import { viewOf } from '../sessions/session-view.js'
import { callerOf } from './caller-of.js'

const tags = ['browser']
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const sessionSchema = namedObject('BrowserSession', {
  id: Type.String(),
  agent_id: Type.String(),
  agent_handle: Type.String({ examples: ['assistant'] }),
  chat_id: Type.String(),
  title: Type.String({ description: 'Of the page, as it says itself. Untrusted.' }),
  url: Type.String({ description: 'Of the page.' }),
  tabs: Type.Integer({ minimum: 0 }),
  opened_at: Type.String(),
  last_used_at: Type.String(),
  screenshot_url: Type.String({ description: 'A path of this service.' }),
})

const stateSchema = namedObject('BrowserState', {
  available: Type.Boolean({ description: 'Whether agents have the browser tools.' }),
  reason: nullable('Why not, or why it does not work at the moment.'),
  sessions: Type.Array(sessionSchema, { description: 'Those of the caller, the last used first.' }),
  profiles: Type.Integer({ minimum: 0, description: 'How many agents of the caller have a browser profile (cookies, sign-ins).' }),
})

const sessionParameters = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })

/** What a person sees and does: sessions with a picture, and what the browser remembers. */
export function createSessionRoutes(dependencies: {
  readonly state: () => { readonly available: boolean; readonly reason: string | null }
  readonly registry: Pick<SessionRegistry, 'list' | 'close'>
  readonly countProfiles: (userId: string) => Promise<number>
  /** Forgets profiles; resolves with their number. */
  readonly forget: (userId: string, agentId: string | undefined, signal: AbortSignal) => Promise<number>
  readonly credentials: Pick<AgentCredentials, 'mask'> | undefined
  readonly audit: Pick<Audit, 'note'>
  readonly pictures: Limit
}): readonly HttpRoute[] {
  const { state, registry, countProfiles, forget, credentials, audit, pictures } = dependencies
  const ownSessions = (userId: string): readonly OpenBrowserSession[] =>
    registry
      .list()
      .filter(({ owner }) => owner.userId === userId)
      .toSorted((one, other) => other.lastUsedAt() - one.lastUsedAt())
  const ownSession = (userId: string, id: string): OpenBrowserSession => {
    const found = ownSessions(userId).find((each) => each.id === id)
    if (found === undefined) throw notFoundError.create({ what: 'browser session' })
    return found
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/browser',
      operationId: 'getBrowser',
      summary: 'Show whether there is a browser, and the caller’s sessions in it',
      tags,
      auth: 'user',
      answers: { 200: { description: 'The state.', schema: stateSchema } },
      async handle(request) {
        const userId = callerOf(request)
        const sessions = await Promise.all(ownSessions(userId).map((each) => viewOf(each, credentials)))
        return ok({ ...state(), sessions: sessions.map((each) => ({ ...each })), profiles: await countProfiles(userId) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/browser/sessions/{id}/screenshot',
      operationId: 'getBrowserScreenshot',
      summary: 'Take a picture of the page of a session',
      description: 'As the page is at this moment. Passwords and what came from credentials are hidden.',
      tags,
      auth: 'user',
      params: sessionParameters,
      errors: [notFoundError, browserLostError],
      answers: { 200: { description: 'The picture.', contentType: 'image/jpeg', example: '(JPEG)' } },
      async handle({ params, signal, ...request }) {
        const userId = callerOf(request)
        const { session } = ownSession(userId, params.id)
        if (session.tabs().length === 0) throw notFoundError.create({ what: 'page in this session' })
        const hold = pictures.take(`user:${userId}`)
        try {
          const options = { fullPage: false, quality: 60, filled: session.filled, signal: signalWithin(10_000, signal) }
          const data = await takeScreenshot(session.active(), options)
          const bytes = Buffer.from(data, 'base64')
          return { status: 200, kind: 'bytes', contentType: 'image/jpeg', bytes, headers: { 'cache-control': 'no-store' } }
        } catch (error) {
          signal.throwIfAborted()
          throw browserLostError.create({ reason: 'the page took too long for a picture' }, { cause: error })
        } finally {
          hold.release()
        }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/browser/sessions/{id}',
      operationId: 'closeBrowserSession',
      summary: 'Close a session and its pages',
      description: 'Sign-ins are kept.',
      tags,
      auth: 'user',
      params: sessionParameters,
      errors: [notFoundError],
      answers: { 204: { description: 'It is closed.' } },
      async handle({ params, ...request }) {
        const { id } = ownSession(callerOf(request), params.id)
        await registry.close((each) => each.id === id)
        return noContent()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/browser/profile',
      operationId: 'forgetBrowserProfile',
      summary: 'Forget cookies and sign-ins of the browser',
      description: 'Closes the sessions first. Of one agent with `agent_id`, otherwise of all agents of the caller.',
      tags,
      auth: 'user',
      query: Type.Object({ agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
      errors: [browserUnavailableError, browserLostError, browserCommandError, browserSlowError],
      answers: { 204: { description: 'Nothing is remembered any more.' } },
      async handle({ query, signal, ...request }) {
        const userId = callerOf(request)
        const count = await forget(userId, query.agent_id, signal)
        await audit.note({ kind: 'browser.profile_forgotten', subject: userId, details: { profiles: count } })
        return noContent()
      },
    }),
  ]
}

/** The words for people about what is known of the service. */
export function stateOf(configured: boolean, pool: PoolState | undefined): { readonly available: boolean; readonly reason: string | null } {
  if (!configured)
    return {
      available: false,
      reason: 'No browser service is configured (browser.ws_url is not set), so that agents have no browser tools.',
    }
  return { available: true, reason: pool?.reason ?? null }
}
