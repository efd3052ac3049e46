import { setImmediate } from 'node:timers/promises'
import { rawEchoRoute, startTestServer, type TestServer, testPrincipal } from '@agent-service/kernel-core/http/testing'
import type { WebSocketConnection, WebSocketLimits, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { createHttpMetrics } from '../../metrics/index.js'
import { openWebSockets } from '../index.js'

/** A server of a test with one WebSocket route, and the users `ada` and `bob`, whose tokens are their names. */
export interface WebSocketBench {
  readonly server: TestServer
  /** The address of the route. */
  readonly url: string
  /** Waits until so many connections have ended; with `request`, so many requests. */
  ended(count: number, line?: 'websocket' | 'request'): Promise<void>
}

/** Starts the server. Close `server` at the end. */
export async function openWebSocketBench(
  route: WebSocketRoute,
  options: Parameters<typeof startTestServer>[0] = {},
  owner: Parameters<TestServer['table']['addWebSocket']>[1] = { id: 'kernel' },
): Promise<WebSocketBench> {
  const server = await startTestServer({ webSockets: openWebSockets, metrics: createHttpMetrics, ...options })
  server.authenticator.grant('ada', testPrincipal())
  server.authenticator.grant('bob', testPrincipal({ userId: '0190a0a0-0000-7000-8000-000000000002' }))
  server.table.addWebSocket(route, owner)
  return {
    server,
    url: `ws://127.0.0.1:${server.port}${route.path}`,
    async ended(count, line = 'websocket') {
      while (server.log.filter(({ message }) => message === line).length < count) await setImmediate()
      await setImmediate()
    },
  }
}

/** A route with raw messages. */
export const rawRoute = (limits: WebSocketLimits, handle?: (connection: WebSocketConnection) => Promise<void>): WebSocketRoute =>
  rawEchoRoute({ limits, ...(handle && { handle }) })
