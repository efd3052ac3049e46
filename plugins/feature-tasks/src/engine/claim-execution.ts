import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, moved } from '../store/execution.js'
import { saveTask } from '../store/save-task.js'
import { type Task, taskCollection } from '../store/task.js'
import { textOf } from '../times/plan-task.js'
import { messageOf } from './order-message.js'
import { type Places, takePlaces } from './places.js'

/** How many of a lane are looked at: those whose task is at work already are passed over. */
const lookAhead = 20

/**
 * Gives the first execution of a lane a place. `empty`: nothing waits there. `busy`: what waits must
 * wait for itself. `taken`: the places have changed.
 */
export async function claimFrom(
  parts: TaskParts,
  lane: string,
  places: Places,
): Promise<{ readonly outcome: 'empty' | 'busy' | 'taken' } | { readonly outcome: 'claimed'; readonly execution: Execution }> {
  const { database, metrics, clock } = parts
  const page = await database.collection(executionCollection).query({ index: 'by_lane', equals: [lane], limit: lookAhead })
  if (page.items.length === 0) return { outcome: 'empty' }
  for (const { id, user_id, agent_id } of page.items) {
    const free = agent_id === null ? undefined : places.free({ user_id, agent_id })
    if (!free) return { outcome: 'taken' }
    const execution = await claim(parts, id, { free, places })
    if (execution === 'taken') return { outcome: 'taken' }
    if (execution === undefined) continue
    metrics.started(clock.now() - Date.parse(execution.transitions.at(-2)?.at ?? execution.created_at))
    return { outcome: 'claimed', execution }
  }
  return { outcome: 'busy' }
}

/** One transaction: the place, the state, and what the run will be asked. */
async function claim(
  { database, clock, events, limits }: TaskParts,
  id: string,
  { free, places }: { readonly free: readonly string[]; readonly places: Places },
): Promise<Execution | 'taken' | undefined> {
  return database.transaction(async (transaction) => {
    const waiting = await transaction.get(executionCollection, id)
    if (waiting?.state !== 'queued' || waiting.lane === null) return undefined
    const task = await transaction.get(taskCollection, waiting.task_id)
    if (!task || task.active !== null || task.agent === null) return undefined
    const now = textOf(clock.now())
    if (!(await takePlaces(transaction, free, { execution: waiting, places, limits, now }))) return 'taken'
    const number = waiting.attempts.length + 1
    const attempt = { number, key: `task/${id}/${number}`, run_id: null, chat_id: null, started_at: now, ended_at: null }
    const execution: Execution = {
      ...moved(waiting, 'starting', now),
      ...{ lane: null, lane_at: null, leases: free, order: orderOf(task, waiting) },
      attempts: [...waiting.attempts, { ...attempt, failure: null, usage: null }],
      started_at: waiting.started_at ?? now,
    }
    transaction.put(executionCollection, execution)
    const after: Task = { ...task, queued: null, active: id, active_state: 'working' }
    await saveTask(transaction, events, { before: task, after, now, execution })
    return execution
  })
}

const orderOf = (task: Task, execution: Execution): NonNullable<Execution['order']> => ({
  ...{ title: task.title, message: messageOf(task, execution), agent_id: task.agent?.id ?? '' },
  ...{ model_group: task.model_group, tools: task.tools, max_seconds: task.max_seconds },
  result: task.heartbeat ? heartbeatResult : task.result,
})

/** The form of a heartbeat's answer: what the person should know, if anything. */
const heartbeatResult = {
  name: 'heartbeat',
  schema: {
    type: 'object',
    properties: {
      report: {
        type: ['string', 'null'],
        description: 'What the person should know now, in a few sentences; null if there is nothing.',
      },
    },
    required: ['report'],
    additionalProperties: false,
  },
} as const
