import { type JsonObject, Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import { taskStatuses } from '../store/task.js'
import type { TaskService } from '../tasks/task-service.js'
import { answered, brief, creatorOf, failed, json, mayChange, timeOf } from './common.js'
import { toolWords } from './tool-words.js'

const id = Type.String({ minLength: 1, maxLength: 100, description: 'The id of the task.' })
const notYours =
  'Not done: this task was created by the person, for another agent, or for work that may reach more than the agent that asked you. Ask the person to change it.'
const listed = 30
const minuteMs = 60_000

/** What agents do with tasks beside creating them. */
export const createTaskTools = (tasks: TaskService, clock: Pick<Clock, 'now'>): readonly Tool[] => [
  {
    specVersion: 1,
    name: 'list_tasks',
    title: 'List tasks',
    display: toolWords.list_tasks,
    description:
      'Lists the background tasks, reminders and schedules of the person, newest first, at most 30. With `id`: one task, with its latest executions and their results.',
    parameters: Type.Object({
      id: Type.Optional(id),
      status: Type.Optional(Type.Union(taskStatuses.map((status) => Type.Literal(status)))),
    }),
    effect: 'read',
    supports: { probe: false },
    purpose: () => 'Look at the tasks',
    execute: (input, { userId, signal }) =>
      answered(async () => {
        if (typeof input['id'] === 'string') {
          const task = await tasks.get(userId, input['id'])
          const { items } = await tasks.executions(userId, task.id, { limit: 3 })
          const executions = items.map(({ id, state, scheduled_for, ended_at, answer, result, failure, warnings }) => ({
            ...{ id, state, scheduled_for, ended_at, answer, result, failure, warnings },
          })) as readonly JsonObject[]
          return json({ task: { ...brief(task), instruction: task.instruction }, executions: [...executions] })
        }
        const status = typeof input['status'] === 'string' ? { status: input['status'] } : {}
        const { items, next_cursor } = await tasks.list(userId, { ...status, limit: listed })
        return json({ tasks: items.map(brief), more: next_cursor !== null })
      }, signal),
  },
  {
    specVersion: 1,
    name: 'change_task',
    title: 'Change a task',
    display: toolWords.change_task,
    description:
      'Changes a task that you created: its text, its time (`at` or `cron`), or pauses, resumes or runs it now (`do`). Absent members stay.',
    parameters: Type.Object({
      id,
      do: Type.Optional(Type.Union([Type.Literal('pause'), Type.Literal('resume'), Type.Literal('run')])),
      title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      instruction: Type.Optional(Type.String({ minLength: 1, maxLength: 50_000 })),
      at: Type.Optional(Type.String({ maxLength: 40 })),
      cron: Type.Optional(Type.String({ maxLength: 200 })),
      timezone: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    effect: 'idempotent',
    supports: { probe: false },
    purpose: ({ do: what }) =>
      typeof what === 'string' ? `${what === 'run' ? 'Run' : what === 'pause' ? 'Pause' : 'Resume'} a task` : 'Change a task',
    execute: (input, context) =>
      answered(async () => {
        const { userId } = context
        const task = await tasks.get(userId, String(input['id']))
        if (!mayChange(task, context)) return failed(notYours)
        const timezone = typeof input['timezone'] === 'string' ? input['timezone'] : undefined
        const due = timeOf(input['at'], timezone ?? context.timezone)
        if (typeof due === 'object') return failed(`Not done: ${due.problem}`)
        const change = {
          ...(typeof input['title'] === 'string' ? { title: input['title'] } : {}),
          ...(typeof input['instruction'] === 'string' ? { instruction: input['instruction'] } : {}),
          ...(due === undefined ? {} : { due_at: due, schedule: null }),
          ...(typeof input['cron'] === 'string' ? { schedule: { cron: input['cron'], timezone: timezone ?? null } } : {}),
        }
        const changed = Object.keys(change).length > 0 ? await tasks.change(userId, task.id, change) : task
        const what = input['do']
        // Or a task could run itself again without end.
        if (what === 'run' && task.active !== null)
          return failed('Not done: the task is at work. Wait for its end, or create another task.')
        if (what === 'pause') return json({ task: brief(await tasks.pause(userId, task.id)) })
        if (what === 'resume') return json({ task: brief(await tasks.resume(userId, task.id)) })
        if (what === 'run') return json({ task: brief(await tasks.run(userId, task.id)) })
        return json({ task: brief(changed) })
      }, context.signal),
  },
  {
    specVersion: 1,
    name: 'cancel_task',
    title: 'Cancel a task',
    display: toolWords.cancel_task,
    description: 'Cancels a task that you created: its schedule, what waits and what is at work.',
    parameters: Type.Object({ id }),
    effect: 'idempotent',
    supports: { probe: false },
    purpose: () => 'Cancel a task',
    execute: (input, context) =>
      answered(async () => {
        const task = await tasks.get(context.userId, String(input['id']))
        if (!mayChange(task, context)) return failed(notYours)
        return json({ task: brief(await tasks.cancel(context.userId, task.id, `It was cancelled by the agent ${context.agentHandle}.`)) })
      }, context.signal),
  },
  {
    specVersion: 1,
    name: 'remind_me',
    title: 'Remind the person',
    display: toolWords.remind_me,
    description:
      'Reminds the person of something: at a time (`at`, in their time zone), in some minutes (`in_minutes`), or again and again (`cron`). They get a notification; no agent runs.',
    parameters: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 5_000, description: 'What to remind them of, as they will read it.' }),
      at: Type.Optional(Type.String({ maxLength: 40, description: '2026-01-31T09:00' })),
      in_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000 })),
      cron: Type.Optional(Type.String({ maxLength: 200 })),
      timezone: Type.Optional(Type.String({ maxLength: 100, description: 'An IANA zone. Default: that of the person.' })),
    }),
    effect: 'unsafe',
    approval: 'never',
    supports: { probe: false },
    purpose: ({ text }) => `Remind you: ${String(text).slice(0, 200)}`,
    execute: (input, context) =>
      answered(async () => {
        const timezone = typeof input['timezone'] === 'string' ? input['timezone'] : undefined
        const at = timeOf(input['at'], timezone ?? context.timezone)
        if (typeof at === 'object') return failed(`Not done: ${at.problem}`)
        const due =
          at ?? (typeof input['in_minutes'] === 'number' ? new Date(clock.now() + input['in_minutes'] * minuteMs).toISOString() : undefined)
        const times = [due, input['cron']].filter((time) => time !== undefined)
        if (times.length !== 1) return failed('Not done: give one of at, in_minutes and cron.')
        const { task } = await tasks.create(
          {
            ...{ kind: 'reminder', instruction: String(input['text']) },
            ...(due === undefined ? { schedule: { cron: String(input['cron']), timezone: timezone ?? null } } : { due_at: due }),
          },
          creatorOf(context),
        )
        return json({ reminder: brief(task) })
      }, context.signal),
  },
]
