import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { ServerSection } from '../../config/index.js'
import { quietLog } from '../../database/testing/test-database.js'
import type { AnswerCheck } from '../../http/answer/answer-check.js'
import type { RouteAccess } from '../../http/route-access.js'
import { createDispatchTable } from '../../http/routing/dispatch-table.js'
import { createHttpServer } from '../../http/server/create-http-server.js'
import { createAnswerCheck } from '../../http/testing/create-answer-check.js'
import { roleAccess, testSettings } from '../../http/testing/start-test-server.js'
import { createRedactor } from '../../log/create-redactor.js'
import { createQuotas } from '../../quotas/index.js'
import type { AuthUnderTest } from './auth-under-test.js'

/** The HTTP layer with accounts behind it. */
export interface AuthServer {
  readonly answerCheck: AnswerCheck
  fetch(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>
  close(): Promise<void>
}

/** The real HTTP layer with these accounts behind it, on their clock. */
export async function startAuthServer(
  auth: AuthUnderTest,
  routes: readonly HttpRoute[],
  settings: Partial<ServerSection> = {},
  routeAccess: RouteAccess = roleAccess,
): Promise<AuthServer> {
  const table = createDispatchTable()
  const answerCheck = createAnswerCheck()
  const server = createHttpServer({
    settings: { ...testSettings, ...settings },
    table,
    logger: quietLog,
    redactor: createRedactor(),
    clock: auth.clock,
    version: '1.2.3',
    quotas: createQuotas({ clock: auth.clock, log: quietLog }),
    authenticator: () => auth.authenticator,
    routeAccess: () => routeAccess,
    answerCheck,
  })
  for (const route of routes) table.add(route, { id: 'kernel' })
  const { port } = await server.listen()
  server.ready()
  return {
    answerCheck,
    fetch(path, { token, ...init } = {}) {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
    },
    close: () => server.close(),
  }
}
