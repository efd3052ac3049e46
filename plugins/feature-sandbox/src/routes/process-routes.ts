import { Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageCursorError,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Sandbox, SandboxProcess } from '@agent-service/sdk/services/sandbox'
import { presentProcess, processSchema } from '../reports/process-view.js'
import { callerOf } from './caller-of.js'

const tags = ['sandbox']

/** The path's parameter of every route about one process. */
export const processParams = Type.Object({ process_id: Type.String({ minLength: 1, maxLength: 64 }) })

/** A process of that user. @throws `not_found`, the same for those of others. */
export function ownProcess(sandbox: Pick<Sandbox, 'find'>, userId: string, id: string): SandboxProcess {
  const process = sandbox.find(userId, id)
  if (process === undefined) throw notFoundError.create({ what: 'process' })
  return process
}

/** The caller's processes: a list, one of them, and its end. */
export function createProcessRoutes({ sandbox }: { readonly sandbox: Pick<Sandbox, 'list' | 'find'> }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/processes',
      operationId: 'listProcesses',
      summary: 'List the processes that the caller’s agents run',
      description:
        'Those that run, and those that ended within the last hour, the newest first. After a restart of the service there are none.',
      tags,
      auth: 'user',
      query: Type.Object({
        ...pageQuerySchema.properties,
        agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only those of this agent.' })),
        state: Type.Optional(
          Type.Union([Type.Literal('running'), Type.Literal('ended')], { description: 'Only those that run, or that have ended.' }),
        ),
        terminal: Type.Optional(Type.Boolean({ description: 'Only terminals of people, or everything else.' })),
      }),
      errors: [pageCursorError],
      answers: { 200: { description: 'One page.', schema: pageSchema(processSchema) } },
      async handle({ query, ...request }) {
        const { userId } = callerOf(request)
        const { agent_id: principalId, state, terminal } = query
        const found = sandbox
          .list({ userId, ...(principalId === undefined ? {} : { principalId }) })
          .filter(({ endedAt }) => state === undefined || (endedAt === null) === (state === 'running'))
          .filter(({ kind }) => terminal === undefined || (kind === 'terminal') === terminal)
        const { items, next_cursor } = pageOfList(found, ({ id }) => id, query)
        return ok({ items: items.map(presentProcess), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/processes/{process_id}',
      operationId: 'getProcess',
      summary: 'Show a process of the caller’s agents',
      description: 'Whether it runs, and what it came to.',
      tags,
      auth: 'user',
      params: processParams,
      errors: [notFoundError],
      answers: { 200: { description: 'The process.', schema: processSchema } },
      async handle({ params, ...request }) {
        return ok(presentProcess(ownProcess(sandbox, callerOf(request).userId, params.process_id).view()))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/sandbox/processes/{process_id}/stop',
      operationId: 'stopProcess',
      summary: 'End a process with everything that it started',
      description:
        'SIGTERM, and SIGKILL after two seconds. Answers when nothing of it runs any more; a process that has ended stays as it is.',
      tags,
      auth: 'user',
      params: processParams,
      errors: [notFoundError],
      answers: { 200: { description: 'The process.', schema: processSchema } },
      async handle({ params, ...request }) {
        const process = ownProcess(sandbox, callerOf(request).userId, params.process_id)
        await process.stop()
        return ok(presentProcess(process.view()))
      },
    }),
  ]
}
