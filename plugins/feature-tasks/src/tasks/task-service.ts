import type { JsonObject } from '@agent-service/sdk'
import { createInTurns } from '@agent-service/sdk/async'
import { notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { UsageCost } from '@agent-service/sdk/services/usage'
import { type UsedBudget, usedBudget } from '../heartbeats/look.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection } from '../store/execution.js'
import { isFinal, type Task, taskCollection } from '../store/task.js'
import { changeTask } from './change-task.js'
import { type Controlled, cancelExecution, cancelTask, ownTask, pauseTask, removeTask, resumeTask, runNow } from './control-task.js'
import { type CreatedTask, createTask, type TaskCreator } from './create-task.js'
import { executionLog } from './execution-log.js'
import type { NewTaskInput, TaskChangeInput } from './task-schemas.js'
import { viewOfExecution } from './task-views.js'

/** What routes and tools do with tasks: each change is audited, and the engine learns of it. */
export interface TaskService {
  create(input: NewTaskInput, creator: TaskCreator): Promise<CreatedTask>
  change(userId: string, taskId: string, input: TaskChangeInput): Promise<Task>
  run(userId: string, taskId: string): Promise<Task>
  pause(userId: string, taskId: string): Promise<Task>
  resume(userId: string, taskId: string): Promise<Task>
  cancel(userId: string, taskId: string, reason?: string): Promise<Task>
  cancelExecution(userId: string, taskId: string, executionId: string): Promise<JsonObject>
  remove(userId: string, taskId: string): Promise<void>
  get(userId: string, taskId: string): Promise<Task>
  /** What a heartbeat has used of its budget in the last 24 hours; null: it is none. */
  budgetUsed(task: Task): Promise<UsedBudget | null>
  list(userId: string, filter: TaskFilter): Promise<{ readonly items: readonly Task[]; readonly next_cursor: string | null }>
  executions(
    userId: string,
    taskId: string,
    page: { readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly JsonObject[]; readonly next_cursor: string | null }>
  execution(userId: string, taskId: string, executionId: string): Promise<JsonObject>
  log(userId: string, taskId: string, executionId: string, signal: AbortSignal): Promise<readonly JsonObject[]>
  children(userId: string, taskId: string): Promise<readonly Task[]>
}

/** What carries out a stored change. */
export interface TaskMover {
  wake(lane?: string | null): void
  stopRun(executionId: string): void
}

export interface TaskFilter {
  readonly status?: string
  readonly kind?: string
  /** Those that happen again, until they are cancelled, and no others. */
  readonly repeats?: boolean
  readonly agentId?: string
  readonly limit?: number
  readonly cursor?: string
}

const byPerson = 'It was cancelled by its owner.'
/** The most tasks of which a tree shows that another one created them. */
const maxChildren = 1_000

export function createTaskService(dependencies: {
  readonly parts: TaskParts
  readonly engine: TaskMover
  readonly audit: Pick<Audit, 'record'>
  /** What the model calls of a chat cost; undefined if there were none. */
  readonly costOf: (userId: string, chatId: string) => Promise<UsageCost | undefined>
}): TaskService {
  const { parts, engine, audit, costOf } = dependencies
  const { database } = parts
  const executions = database.collection(executionCollection)
  const inTurns = createInTurns()

  const controlled = async (work: Promise<Controlled>): Promise<Task> => {
    const { task, execution, stop } = await work
    engine.wake(execution?.lane)
    for (const id of stop) engine.stopRun(id)
    return task
  }
  const shown = async (execution: Execution): Promise<JsonObject> => {
    const chats = execution.attempts.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id]))
    const costs = await Promise.all(chats.map((chatId) => costOf(execution.user_id, chatId)))
    const known = costs.filter((cost) => cost !== undefined)
    const isKnown = known.length > 0 && known.every(({ unpricedCalls }) => unpricedCalls === 0)
    return viewOfExecution(execution, isKnown ? known.reduce((sum, { usd }) => sum + usd, 0) : null)
  }
  const ownExecution = async (userId: string, taskId: string, id: string): Promise<Execution> => {
    const execution = await executions.get(id)
    if (execution?.user_id !== userId || execution.task_id !== taskId) throw notFoundError.create({ what: 'execution' })
    return execution
  }

  return {
    async create(input, creator) {
      // All of them change the count of the user's open tasks.
      const made = await inTurns.run(creator.userId, () =>
        createTask(parts, input, creator, (transaction, task) =>
          audit.record(transaction, { kind: 'task.created', subject: task.id, ...actorOf(creator), after: auditedOf(task) }),
        ),
      )
      engine.wake(made.execution?.lane)
      return made
    },
    async change(userId, taskId, input) {
      const task = await changeTask(parts, { userId, taskId }, input, (transaction, { before, after }) =>
        audit.record(transaction, { kind: 'task.changed', subject: taskId, before: auditedOf(before), after: auditedOf(after) }),
      )
      const waiting = task.queued === null ? undefined : await executions.get(task.queued)
      engine.wake(waiting?.lane)
      return task
    },
    run: (userId, taskId) => controlled(runNow(parts, userId, taskId)),
    pause: (userId, taskId) => controlled(pauseTask(parts, userId, taskId)),
    resume: (userId, taskId) => controlled(resumeTask(parts, userId, taskId)),
    cancel: (userId, taskId, reason = byPerson) => controlled(cancelTask(parts, userId, taskId, reason)),
    async cancelExecution(userId, taskId, executionId) {
      await controlled(cancelExecution(parts, { userId, taskId, executionId }, byPerson))
      return shown(await ownExecution(userId, taskId, executionId))
    },
    remove: (userId, taskId) =>
      removeTask(parts, userId, taskId, (transaction, task) =>
        audit.record(transaction, { kind: 'task.deleted', subject: taskId, before: auditedOf(task) }),
      ),
    get: (userId, taskId) => ownTask(parts, userId, taskId),
    budgetUsed: async (task) => (task.heartbeat ? usedBudget(parts, task) : null),
    async list(userId, { status, kind, repeats = false, agentId, ...page }) {
      const narrowest = repeats
        ? { index: 'by_schedule', equals: [userId] }
        : status !== undefined
          ? { index: 'by_status', equals: [userId, status] }
          : agentId !== undefined
            ? { index: 'by_agent', equals: [userId, agentId] }
            : kind !== undefined
              ? { index: 'by_kind', equals: [userId, kind] }
              : { index: 'by_user', equals: [userId] }
      const found = await pageOfIndex(database.collection(taskCollection), { ...narrowest, order: 'descending' }, page)
      const items = found.items.filter(
        (task) =>
          (status === undefined || task.status === status) &&
          (kind === undefined || task.kind === kind) &&
          (agentId === undefined || task.agent?.id === agentId) &&
          (!repeats || (task.schedule !== null && !isFinal(task.status))),
      )
      return { items, next_cursor: found.next_cursor }
    },
    async executions(userId, taskId, page) {
      await ownTask(parts, userId, taskId)
      const found = await pageOfIndex(executions, { index: 'by_task', equals: [taskId], order: 'descending' }, page)
      return { items: await Promise.all(found.items.map(shown)), next_cursor: found.next_cursor }
    },
    execution: async (userId, taskId, id) => shown(await ownExecution(userId, taskId, id)),
    log: async (userId, taskId, id, signal) => executionLog(parts, await ownExecution(userId, taskId, id), signal),
    async children(userId, taskId) {
      await ownTask(parts, userId, taskId)
      const children: Task[] = []
      let cursor: string | undefined
      do {
        const page = await database.collection(taskCollection).query({
          ...{ index: 'by_parent_task', equals: [taskId], limit: 200 },
          ...(cursor === undefined ? {} : { cursor }),
        })
        children.push(...page.items.filter(({ user_id }) => user_id === userId))
        cursor = page.nextCursor
      } while (cursor !== undefined && children.length < maxChildren)
      return children
    },
  }
}

const actorOf = ({ userId, agent }: TaskCreator): { readonly actor?: { readonly userId: string }; readonly details?: JsonObject } =>
  agent ? { actor: { userId }, details: { agent_id: agent.id } } : {}

/** Without texts: they are the person's, and an instruction may be long. */
const auditedOf = ({ kind, agent, schedule, due_at, status }: Task): JsonObject => ({
  ...{ kind, agent_id: agent?.id ?? null, schedule: schedule && { ...schedule }, due_at, status },
})
