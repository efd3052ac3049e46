import { namedObject, Type } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, notFoundError } from '@agent-service/sdk/contracts/http-route'
import { sandboxRefusedError, sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import { defineWebSocketRoute, type WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import { sandboxStartInvalidError, tooManyProcessesError } from '@agent-service/sdk/services/sandbox'
import { userFileConflictError, userFileNotFoundError, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import type { ProcessMasks } from '../credentials/process-masks.js'
import { presentProcess, processSchema } from '../reports/process-view.js'
import { callerOf } from '../routes/caller-of.js'
import { framesDescription } from './control-messages.js'
import { serveViewer } from './serve-viewer.js'
import type { Terminals } from './terminals.js'

const side = (initial: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: initial }))

/** Opens a terminal. */
export function createOpenTerminalRoute({ terminals }: { readonly terminals: Pick<Terminals, 'open'> }): HttpRoute {
  return defineRoute({
    method: 'POST',
    path: '/api/sandbox/terminals',
    operationId: 'openTerminal',
    summary: 'Open a terminal in the workspace of an agent',
    description:
      'A login shell runs as the agent: with its files, its network and its limits. It goes on when the page is closed: `GET /api/sandbox/terminals/{process_id}` is the WebSocket to it, `POST /api/sandbox/processes/{process_id}/stop` ends it. A terminal without a connection ends after half an hour, and each when its user signs out everywhere. At most 8 are open at once.',
    tags: ['sandbox'],
    auth: 'user',
    rateClass: 'expensive',
    body: {
      kind: 'json',
      schema: namedObject('OpenTerminal', {
        agent_id: Type.String({ minLength: 1, maxLength: 200 }),
        columns: side(80),
        rows: side(24),
        directory: Type.Optional(
          Type.String({ maxLength: 400, description: 'Below the workspace. Default: the workspace.', examples: ['notes'] }),
        ),
      }),
    },
    errors: [
      ...[notFoundError, limitReachedError, overloadedError, tooManyProcessesError],
      ...[sandboxUnavailableError, sandboxRefusedError, sandboxStartInvalidError],
      ...[userPathInvalidError, userFileNotFoundError, userFileConflictError],
    ],
    answers: { 201: { description: 'The terminal.', schema: processSchema } },
    async handle({ body, signal, ...request }) {
      const { userId, handle } = callerOf(request)
      const size = { columns: body.columns ?? 80, rows: body.rows ?? 24 }
      const view = await terminals.open({ userId, userHandle: handle, agentId: body.agent_id, size, directory: body.directory }, { signal })
      return created(presentProcess(view))
    },
  })
}

/** The WebSocket to a terminal. */
export function createTerminalSocket({
  terminals,
  clock,
  masks,
}: {
  readonly terminals: Pick<Terminals, 'find'>
  readonly clock: Clock
  readonly masks: ProcessMasks
}): WebSocketRoute {
  return defineWebSocketRoute({
    path: '/api/sandbox/terminals/{process_id}',
    operationId: 'connectTerminal',
    summary: 'Connect to a terminal by WebSocket',
    description: `The terminal goes on when the connection ends, and any number of pages may be connected. After a reload, connect again with \`from\`, the position after the last byte that was received.\n\n${framesDescription}`,
    tags: ['sandbox'],
    auth: 'user',
    params: Type.Object({ process_id: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: Type.Object({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The position of the first byte that is wanted. Default: the last mebibyte, from the beginning of a line.',
        }),
      ),
      watch: Type.Optional(Type.Boolean({ default: false, description: 'Whether this connection never writes.' })),
    }),
    messages: { kind: 'raw' },
    limits: {
      ...{ maxMessageBytes: 65_536, maxMessagesPerSecond: 200, maxOutstandingBytes: 1_048_576 },
      ...{ maxConnectionsPerPrincipal: 16, maxConnections: 512, maxIdleSeconds: 3_600 },
    },
    async handle({ request, messages, send, close, signal }) {
      const { userId } = callerOf(request)
      const found = terminals.find(userId, request.params.process_id)
      await serveViewer(
        { messages, send, close, signal },
        { ...found, clock, masks, request: { from: request.query.from, watches: request.query.watch === true } },
      )
    },
  })
}
