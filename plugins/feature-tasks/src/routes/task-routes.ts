import { Type } from '@agent-service/sdk'
import {
  accepted,
  actorKinds,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { agentUnknownError } from '@agent-service/sdk/services/agents'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { taskCannotRunError, taskEndedError } from '../common/errors.js'
import { ownerOf } from '../common/owner.js'
import { taskKinds, taskStatuses } from '../store/task.js'
import { type NewTaskInput, newTaskSchema, type TaskChangeInput, taskChangeSchema } from '../tasks/task-schemas.js'
import type { TaskService } from '../tasks/task-service.js'
import { detailsOfTask, taskDetailsSchema, taskSchema, viewOfTask } from '../tasks/task-views.js'

const id = Type.String({ minLength: 1, maxLength: 100 })
const params = Type.Object({ task_id: id })
const tags = ['tasks']
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))

interface TaskQuery {
  readonly status?: string
  readonly kind?: string
  readonly repeats?: boolean
  readonly agent_id?: string
  readonly limit?: number
  readonly cursor?: string
}

/** The routes of tasks themselves. */
export const createTaskRoutes = (tasks: TaskService): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/api/tasks',
    operationId: 'listTasks',
    summary: "List the caller's tasks, newest first",
    description: 'With several filters a page can hold fewer than `limit`; go on until `next_cursor` is null.',
    tags,
    auth: 'user',
    actors: actorKinds,
    query: Type.Object({
      status: Type.Optional(oneOf(taskStatuses)),
      kind: Type.Optional(oneOf(taskKinds)),
      agent_id: Type.Optional(id),
      repeats: Type.Optional(Type.Boolean({ description: 'Lists only those with a schedule that have not ended, by their schedules.' })),
      ...pageQuerySchema.properties,
    }),
    answers: { 200: { description: 'One page.', schema: pageSchema(taskSchema) } },
    async handle(request) {
      const { agent_id: agentId, ...query } = request.query as TaskQuery
      const { items, next_cursor } = await tasks.list(ownerOf(request), { ...query, ...(agentId === undefined ? {} : { agentId }) })
      return ok({ items: items.map(viewOfTask), next_cursor })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks',
    operationId: 'createTask',
    summary: 'Create a task, a reminder or a heartbeat',
    description:
      'Without `due_at` and `schedule` it waits for a place at once. Background tasks of all users share `server.max_concurrent_tasks` places, in turns.',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    body: { kind: 'json', schema: newTaskSchema, example: { instruction: 'Summarise the news.', schedule: { cron: '0 9 * * MON-FRI' } } },
    errors: [agentUnknownError, quotaExceededError],
    answers: { 201: { description: 'The task.', schema: taskDetailsSchema } },
    async handle(request) {
      const { task } = await tasks.create(request.body as NewTaskInput, { userId: ownerOf(request) })
      return created(detailsOfTask(task))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tasks/{task_id}',
    operationId: 'getTask',
    summary: 'Get a task with its next five times',
    tags,
    auth: 'user',
    actors: actorKinds,
    params,
    answers: { 200: { description: 'The task.', schema: taskDetailsSchema } },
    async handle(request) {
      const task = await tasks.get(ownerOf(request), request.params.task_id)
      const used = await tasks.budgetUsed(task)
      return ok({ ...detailsOfTask(task), ...(used && { budget_used: { ...used } }) })
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/tasks/{task_id}',
    operationId: 'updateTask',
    summary: 'Change a task',
    description: 'The change counts from the next execution on; what is at work stays as it began.',
    tags,
    auth: 'user',
    params,
    body: { kind: 'json', schema: taskChangeSchema, example: { schedule: { cron: '0 8 * * *', timezone: 'Europe/Vienna' } } },
    errors: [agentUnknownError, taskEndedError],
    answers: { 200: { description: 'The task.', schema: taskDetailsSchema } },
    handle: async (request) =>
      ok(detailsOfTask(await tasks.change(ownerOf(request), request.params.task_id, request.body as TaskChangeInput))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/tasks/{task_id}',
    operationId: 'deleteTask',
    summary: 'Delete a task that is not at work, with its history',
    tags,
    auth: 'user',
    params,
    errors: [taskCannotRunError],
    answers: { 204: { description: 'Deleted.' } },
    async handle(request) {
      await tasks.remove(ownerOf(request), request.params.task_id)
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks/{task_id}/run',
    operationId: 'runTask',
    summary: 'Run a task now',
    description:
      'Beside its times, also while it is paused or after it has ended. A task that waits for a place already stays in its turn.',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    params,
    errors: [taskCannotRunError],
    answers: { 202: { description: 'The task; it waits for a place.', schema: taskDetailsSchema } },
    handle: async (request) => accepted(detailsOfTask(await tasks.run(ownerOf(request), request.params.task_id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks/{task_id}/pause',
    operationId: 'pauseTask',
    summary: 'Pause a task',
    description: 'No execution begins until it is resumed. One at work ends as usual.',
    tags,
    auth: 'user',
    params,
    errors: [taskEndedError],
    answers: { 200: { description: 'The task.', schema: taskDetailsSchema } },
    handle: async (request) => ok(detailsOfTask(await tasks.pause(ownerOf(request), request.params.task_id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks/{task_id}/resume',
    operationId: 'resumeTask',
    summary: 'Resume a paused task',
    description: 'Times of its schedule that came during the pause are left out.',
    tags,
    auth: 'user',
    params,
    errors: [taskEndedError],
    answers: { 200: { description: 'The task.', schema: taskDetailsSchema } },
    handle: async (request) => ok(detailsOfTask(await tasks.resume(ownerOf(request), request.params.task_id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tasks/{task_id}/cancel',
    operationId: 'cancelTask',
    summary: 'Cancel a task',
    description:
      'Ends its schedule, what waits, and what is at work with its processes and the tasks that it waits for. What is at work has ended when its execution says so.',
    tags,
    auth: 'user',
    params,
    answers: { 202: { description: 'The task.', schema: taskDetailsSchema } },
    handle: async (request) => accepted(detailsOfTask(await tasks.cancel(ownerOf(request), request.params.task_id))),
  }),
]
