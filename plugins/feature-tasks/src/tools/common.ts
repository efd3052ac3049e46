import { type JsonObject, ServiceError } from '@agent-service/sdk'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { Task } from '../store/task.js'
import type { TaskCreator } from '../tasks/create-task.js'
import { readTime } from '../times/read-time.js'

export const json = (value: JsonObject): ToolResult => ({ content: [{ type: 'json', json: value }] })
export const failed = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** What a model can act on is a result; everything else is a fault of the tool. */
export async function answered(work: () => Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || !ServiceError.isInstance(error) || error.status >= 500) throw error
    const problems = error.problems.map(({ path, message }) => `${path}: ${message}`).join('; ')
    return failed(`Not done: ${problems === '' ? error.message : problems}`)
  }
}

/** The time of an input; a sentence if it is none. */
export function timeOf(value: unknown, timezone: string): string | { readonly problem: string } | undefined {
  if (typeof value !== 'string') return undefined
  const moment = readTime(value, timezone)
  if (moment === undefined) return { problem: `“${value}” is not a time. Write 2026-01-31T09:00 (in ${timezone}) or 2026-01-31T09:00:00Z.` }
  return new Date(moment).toISOString()
}

/**
 * An agent changes what it created, and what it works on. Where guests write, it changes no task that
 * may do more than they; and while it works for other agents, none to which less is closed than to them.
 */
export const mayChange = (task: Task, { agentId, guests, callers = [] }: Pick<ToolContext, 'agentId' | 'guests' | 'callers'>): boolean =>
  (task.creator_agent_id === agentId || (task.agent?.id === agentId && task.created_by === 'agent')) &&
  (guests === undefined || task.guests?.tools.every((name) => guests.tools.includes(name)) === true) &&
  callers.every(({ id }) => task.callers.includes(id))

/** Who creates a task that a call asks for. */
export const creatorOf = ({ userId, agentId, agentHandle, guests, callers = [] }: ToolContext): TaskCreator => ({
  userId,
  agent: { id: agentId, handle: agentHandle },
  callers: callers.map(({ id }) => id),
  ...(guests && { guests }),
})

/** A task in few words. */
export const brief = (task: Task): JsonObject => ({
  ...{ id: task.id, kind: task.kind, title: task.title, status: task.status, agent: task.agent?.handle ?? null },
  ...(task.schedule ? { cron: task.schedule.cron, timezone: task.zone } : {}),
  ...(task.next_at === null ? {} : { next_at: task.next_at }),
  ...(task.last
    ? { last: { state: task.last.state, at: task.last.at, ...(task.last.failure ? { failure: task.last.failure.message } : {}) } }
    : {}),
  ...(task.problem ? { problem: task.problem.message } : {}),
})
