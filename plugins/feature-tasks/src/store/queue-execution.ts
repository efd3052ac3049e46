import { v7 as uuidv7 } from 'uuid'
import { type Execution, type ExecutionTrigger, laneOf } from './execution.js'
import type { Task } from './task.js'

/** What an execution is for. */
export interface QueuedFor {
  readonly trigger: ExecutionTrigger
  readonly scheduledFor: string | null
  readonly represents: number
  readonly now: string
}

/** A new execution that waits for a place, and the task that names it. */
export function queueExecution(
  task: Task,
  { trigger, scheduledFor, represents, now }: QueuedFor,
): { readonly task: Task; readonly execution: Execution } {
  const execution: Execution = {
    ...{ id: uuidv7(), user_id: task.user_id, task_id: task.id, agent_id: task.agent?.id ?? null },
    ...{ state: 'queued', in_hand: null, trigger, scheduled_for: scheduledFor, represents },
    ...laneMembers(task, now),
    ...{ not_before: null, leases: [], order: null, attempts: [], waiting_for: null, cancel: null },
    transitions: [{ state: 'queued', at: now, note: represents > 1 ? `Stands for ${represents} due times.` : '' }],
    ...{ answer: null, result: null, failure: null, warnings: [] },
    parent_execution: task.parent?.waits === true ? task.parent.execution_id : null,
    ...{ created_at: now, started_at: null, ended_at: null },
  }
  return { task: { ...task, queued: execution.id }, execution }
}

/** Where an execution waits; nowhere while its task is paused. */
export function laneMembers({ user_id, agent, paused }: Task, now: string): Pick<Execution, 'lane' | 'lane_at'> {
  if (agent === null || paused) return { lane: null, lane_at: null }
  return { lane: laneOf(user_id, agent.id), lane_at: now }
}
