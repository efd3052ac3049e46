import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { browserUnavailableError } from '../common/errors.js'
import type { ServiceTest } from '../service/test-service.js'
import type { SessionRegistry } from '../sessions/session-registry.js'
import { callerOf } from './caller-of.js'

const tags = ['browser']
const orNull = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Boolean>>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

const testSchema = namedObject('BrowserTest', {
  ok: Type.Boolean(),
  text: Type.String({ description: 'What was found, in one line.' }),
  kind: orNull(Type.String(), '`devtools`: one Chromium. `service`: a service that starts a browser for each profile.'),
  product: orNull(Type.String(), 'Name and version of the browser.'),
  warnings: Type.Array(Type.String()),
  management: namedObject('BrowserManagement', {
    running: orNull(Type.Integer(), 'Sessions that run at the service, as it says.'),
    queued: orNull(Type.Integer(), 'Sessions that wait there.'),
    accepts: orNull(Type.Boolean(), 'Whether it takes another one.'),
  }),
})

const usageSchema = namedObject('BrowserUsage', {
  available: Type.Boolean(),
  reason: orNull(Type.String(), 'Why not, or why it does not work at the moment.'),
  sessions: Type.Integer({ minimum: 0 }),
  users: Type.Array(namedObject('BrowserUserSessions', { user_id: Type.String(), sessions: Type.Integer({ minimum: 1 }) })),
})

/** What administrators see: whether the service works, and how many sessions there are; no pages. */
export function createAdminRoutes(dependencies: {
  readonly state: () => { readonly available: boolean; readonly reason: string | null }
  readonly registry: Pick<SessionRegistry, 'list'>
  /** Absent if no browser service is configured. */
  readonly test: ((signal: AbortSignal) => Promise<ServiceTest>) | undefined
  readonly audit: Pick<Audit, 'note'>
  readonly tests: Limit
}): readonly HttpRoute[] {
  const { state, registry, test, audit, tests } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/browser',
      operationId: 'getBrowserUsage',
      summary: 'Show the state of the browser, and how many sessions each user has',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The state.', schema: usageSchema } },
      async handle() {
        const counts = new Map<string, number>()
        for (const { owner } of registry.list()) counts.set(owner.userId, (counts.get(owner.userId) ?? 0) + 1)
        const users = [...counts].map(([user_id, sessions]) => ({ user_id, sessions }))
        return ok({ ...state(), sessions: registry.list().length, users })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/browser/test',
      operationId: 'testBrowser',
      summary: 'Connect to the browser service, and say what was found',
      description: 'A service that cannot be reached is an answer with `ok` false.',
      tags,
      auth: 'admin',
      errors: [browserUnavailableError],
      answers: { 200: { description: 'What was found.', schema: testSchema } },
      async handle({ signal, ...request }) {
        if (test === undefined) throw browserUnavailableError.create({ reason: 'browser.ws_url is not set.' })
        const hold = tests.take(`user:${callerOf(request)}`)
        try {
          const result = await test(signal)
          await audit.note({ kind: 'browser.tested', details: { ok: result.ok } })
          return ok({ ...result, warnings: [...result.warnings], management: { ...result.management } })
        } finally {
          hold.release()
        }
      },
    }),
  ]
}
