import type { ServerSection } from '@agent-service/kernel-core/config'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import type { RouteAccess } from '@agent-service/kernel-core/http'
import type { AnswerCheck } from '@agent-service/kernel-core/http/answer'
import { createDispatchTable } from '@agent-service/kernel-core/http/routing'
import { createHttpServer } from '@agent-service/kernel-core/http/server'
import { createAnswerCheck, roleAccess, testSettings } from '@agent-service/kernel-core/http/testing'
import { createRedactor } from '@agent-service/kernel-core/log'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
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
    quotas: createPlainQuotas(),
    authenticator: auth.authenticator,
    routeAccess,
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
