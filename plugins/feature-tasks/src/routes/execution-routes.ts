import { named, namedObject, Type } from '@agent-service/sdk'
import {
  accepted,
  actorKinds,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { checkSchedule, nextTime } from '@agent-service/sdk/schedule'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import { ownerOf } from '../common/owner.js'
import type { TaskService } from '../tasks/task-service.js'
import { executionSchema, taskSchema, viewOfTask } from '../tasks/task-views.js'

const id = Type.String({ minLength: 1, maxLength: 100 })
const ofTask = Type.Object({ task_id: id })
const ofExecution = Type.Object({ task_id: id, execution_id: id })
const tags = ['tasks']

const logEntrySchema = named(
  'TaskLogEntry',
  Type.Object({
    at: Type.String(),
    kind: Type.String({ description: '`state`, `message`, `tool`, `question`, `warning` or `error`.' }),
    text: Type.String(),
    attempt: Type.Optional(Type.Integer()),
  }),
)

const treeSchema = namedObject('TaskTree', {
  task: taskSchema,
  children: Type.Array(taskSchema, { description: 'The tasks that it created, oldest first, at most 1,000. Each has a tree of its own.' }),
})

const maxNextTimes = 50

/** The routes of the history of tasks, and of schedules. */
export const createExecutionRoutes = (
  tasks: TaskService,
  { accounts, clock }: { readonly accounts: Pick<Accounts, 'get'>; readonly clock: Pick<Clock, 'now'> },
): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/api/tasks/{task_id}/executions',
    operationId: 'listTaskExecutions',
    summary: 'List the executions of a task, newest first',
    tags,
    auth: 'user',
    actors: actorKinds,
    params: ofTask,
    query: pageQuerySchema,
    answers: { 200: { description: 'One page.', schema: pageSchema(executionSchema) } },
    async handle(request) {
      const { items, next_cursor } = await tasks.executions(ownerOf(request), request.params.task_id, request.query)
      return ok({ items: [...items], next_cursor })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tasks/{task_id}/executions/{execution_id}',
    operationId: 'getTaskExecution',
    summary: 'Get an execution of a task',
    tags,
    auth: 'user',
    actors: actorKinds,
    params: ofExecution,
    answers: { 200: { description: 'The execution.', schema: executionSchema } },
    handle: async (request) => ok(await tasks.execution(ownerOf(request), request.params.task_id, request.params.execution_id)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tasks/{task_id}/executions/{execution_id}/log',
    operationId: 'getTaskExecutionLog',
    summary: 'Get the log of an execution',
    description:
      'Its changes of state, and what its runs said and called, at most 2,000 entries. The chats of its attempts have the whole.',
    tags,
    auth: 'user',
    actors: actorKinds,
    params: ofExecution,
    answers: {
      200: { description: 'The entries, oldest first.', schema: namedObject('TaskLog', { entries: Type.Array(logEntrySchema) }) },
    },
    async handle(request) {
      const { task_id, execution_id } = request.params
      return ok({ entries: [...(await tasks.log(ownerOf(request), task_id, execution_id, request.signal))] })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks/{task_id}/executions/{execution_id}/cancel',
    operationId: 'cancelTaskExecution',
    summary: 'Cancel one execution of a task',
    description: 'The task goes on with its next time.',
    tags,
    auth: 'user',
    params: ofExecution,
    answers: { 202: { description: 'The execution; it ends when its run has stopped.', schema: executionSchema } },
    handle: async (request) => accepted(await tasks.cancelExecution(ownerOf(request), request.params.task_id, request.params.execution_id)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tasks/{task_id}/tree',
    operationId: 'getTaskTree',
    summary: 'Get a task with the tasks that it created',
    tags,
    auth: 'user',
    actors: actorKinds,
    params: ofTask,
    answers: { 200: { description: 'The task and its children.', schema: treeSchema } },
    async handle(request) {
      const userId = ownerOf(request)
      const task = await tasks.get(userId, request.params.task_id)
      return ok({ task: viewOfTask(task), children: (await tasks.children(userId, task.id)).map(viewOfTask) })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/schedules/next-times',
    operationId: 'getNextTimes',
    summary: 'Get the next times of a schedule',
    description: 'Without `timezone`: in the zone of the caller’s profile, else of the service. Nothing is stored.',
    tags,
    auth: 'user',
    actors: actorKinds,
    query: Type.Object({
      cron: Type.String({ minLength: 1, maxLength: 200, examples: ['0 9 * * MON-FRI'] }),
      timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Vienna'] })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxNextTimes, default: 5 })),
    }),
    answers: {
      200: {
        description: 'The times, in UTC.',
        schema: namedObject('NextTimes', { timezone: Type.String(), times: Type.Array(Type.String()) }),
      },
    },
    async handle(request) {
      const { cron, count = 5 } = request.query
      const timezone = request.query.timezone ?? (await accounts.get(ownerOf(request)))?.timezone ?? 'UTC'
      const problems = checkSchedule({ cron, timezone })
      if (problems.length > 0) throw invalidRequestError.create({ where: 'query' }, { problems })
      const times: string[] = []
      let moment: number | undefined = clock.now()
      while (times.length < count) {
        moment = nextTime({ cron, timezone }, moment)
        if (moment === undefined) break
        times.push(new Date(moment).toISOString())
      }
      return ok({ timezone, times })
    },
  }),
]
