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
import { type ProcessUsage, sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { DriverSlot } from '../drivers/driver-slot.js'
import type { ExecutionRegistry } from '../executions/execution-registry.js'
import { processParams } from './process-routes.js'
import { presentUsage, processUsageSchema } from './process-usage.js'

const tags = ['sandbox']

/** `/api/admin/sandbox`: what runs of all users, and its end. */
export function createAdminRoutes(dependencies: {
  readonly registry: Pick<ExecutionRegistry, 'running' | 'find'>
  readonly slot: Pick<DriverSlot, 'acquire'>
  readonly accounts: Pick<Accounts, 'get'>
}): readonly HttpRoute[] {
  const { registry, slot, accounts } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/sandbox/processes',
      operationId: 'listProcessesOfAllUsers',
      summary: 'List the processes of all users that run, with what they use',
      description: 'Without titles and output: what a user runs is the user’s own.',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      errors: [pageCursorError],
      answers: { 200: { description: 'One page, the newest first.', schema: pageSchema(processUsageSchema) } },
      async handle({ query, signal }) {
        const views = registry.running().map((execution) => execution.view())
        const { items, next_cursor } = pageOfList(views.reverse(), ({ id }) => id, query)
        const used = await measure(slot, signal)
        const userIds = [...new Set(items.map(({ principal }) => principal.userId))]
        const names = new Map(await Promise.all(userIds.map(async (id) => [id, (await accounts.get(id))?.username ?? null] as const)))
        return ok({
          items: items.map((view) => presentUsage(view, { username: names.get(view.principal.userId) ?? null, usage: used.get(view.id) })),
          next_cursor,
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/sandbox/processes/{process_id}/stop',
      operationId: 'stopProcessOfAnyUser',
      summary: 'End a process of any user with everything that it started',
      description: 'As `stopProcess`. The audit log has it.',
      tags,
      auth: 'admin',
      params: processParams,
      errors: [notFoundError],
      answers: { 200: { description: 'The process.', schema: processUsageSchema } },
      async handle({ params }) {
        const execution = registry.find(params.process_id)
        if (execution === undefined) throw notFoundError.create({ what: 'process' })
        await execution.stop()
        const view = execution.view()
        const username = (await accounts.get(view.principal.userId))?.username ?? null
        return ok(presentUsage(view, { username, usage: undefined }))
      },
    }),
  ]
}

/** What each process uses, by its id; nothing without a driver. */
async function measure(slot: Pick<DriverSlot, 'acquire'>, signal: AbortSignal): Promise<ReadonlyMap<string, ProcessUsage>> {
  try {
    const lease = await slot.acquire()
    try {
      const used = await lease.value.measure({ signal: AbortSignal.any([signal, lease.signal]) })
      return new Map(used.map((usage) => [usage.id, usage]))
    } finally {
      lease.release()
    }
  } catch (error) {
    if (!sandboxUnavailableError.isInstance(error)) throw error
    return new Map()
  }
}
