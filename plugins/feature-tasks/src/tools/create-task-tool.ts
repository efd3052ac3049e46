import { type JsonObject, Type } from '@agent-service/sdk'
import type { Tool, ToolCaller, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { taskAgentForbiddenError, taskTooDeepError } from '../common/errors.js'
import type { TaskEngine } from '../engine/task-engine.js'
import { lendPlace } from '../engine/waiting.js'
import type { TaskParts } from '../parts/task-parts.js'
import { executionCollection, executionKind } from '../store/execution.js'
import { type Task, type TaskParent, taskCollection } from '../store/task.js'
import { agentFor } from '../tasks/create-task.js'
import type { TaskService } from '../tasks/task-service.js'
import { answered, brief, creatorOf, failed, json, timeOf } from './common.js'
import { toolWords } from './tool-words.js'

/** How deep tasks may create tasks. */
const maxDepth = 3
/** How long a call may wait for its task. */
const maxWaitMs = 24 * 3_600_000

export interface CreateTaskDependencies {
  readonly parts: TaskParts
  readonly engine: Pick<TaskEngine, 'untilEnded' | 'regainPlace' | 'wake'>
  readonly tasks: TaskService
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}

/** Creates a task for this or another agent, now or later, and waits for it if the model wants. */
export function createCreateTaskTool(dependencies: CreateTaskDependencies): Tool {
  /** Calls that wait, by the execution that they are part of. */
  const waiting = new Map<string, number>()
  return {
    specVersion: 1,
    name: 'create_task',
    title: 'Create a task',
    display: toolWords.create_task,
    description:
      'Creates a background task for yourself or another agent of the person: at once, at a time (`at`), or again and again (`cron`). It runs without this conversation, so write an instruction that is understandable on its own. With `wait` it runs now and you get its result; several waiting calls in one turn run beside each other. Without `wait` you get its id and go on; the person is notified of its end.',
    parameters: Type.Object({
      instruction: Type.String({ minLength: 1, maxLength: 50_000 }),
      title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      agent: Type.Optional(Type.String({ maxLength: 100, description: 'The handle of the agent. Default: you.' })),
      wait: Type.Optional(Type.Boolean({ description: 'Wait for the result. Not with `at` or `cron`.' })),
      at: Type.Optional(Type.String({ maxLength: 40, description: 'When, in the time zone of the person: 2026-01-31T09:00.' })),
      cron: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Minute, hour, day of the month, month, day of the week: 0 9 * * MON-FRI. Sunday is 0, 7 or SUN.',
        }),
      ),
      timezone: Type.Optional(
        Type.String({ maxLength: 100, description: 'An IANA zone for `at` and `cron`. Default: that of the person.' }),
      ),
      result_schema: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'JSON Schema that the result must fit.' })),
    }),
    effect: 'idempotent',
    parallel: true,
    timeoutMs: maxWaitMs,
    supports: { probe: false },
    purpose: (input) => `Create a task: ${String(input['title'] ?? input['instruction']).slice(0, 200)}`,
    execute: (input, context) => answered(() => create(dependencies, waiting, input, context), context.signal),
  }
}

async function create(
  dependencies: CreateTaskDependencies,
  waiting: Map<string, number>,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const { parts, tasks } = dependencies
  const { userId, callId } = context
  const waits = input['wait'] === true
  if (waits && (input['at'] !== undefined || input['cron'] !== undefined))
    return failed('Not done: a task with a time cannot be waited for.')
  const parent = await parentOf(parts, context, waits)
  const task = (await earlierTask(parts, userId, callId)) ?? (await createdBy(dependencies, parent, input, context))
  if (typeof task === 'string') return failed(task)
  if (!waits) return json({ created: brief(task) })
  const executionId = task.active ?? task.queued ?? task.last?.execution_id
  if (executionId === undefined) return failed(`Not done: the task ${task.id} has nothing to wait for.`)
  await waitFor(dependencies, waiting, { executionId, parentExecution: parent.execution_id }, context)
  return outcomeOf(await tasks.get(userId, task.id), parts, executionId)
}

/** The task that this call created before its process crashed. */
async function earlierTask({ database }: TaskParts, userId: string, callId: string): Promise<Task | undefined> {
  const { items } = await database.collection(taskCollection).query({ index: 'by_call', equals: [callId], limit: 1 })
  return items.find(({ user_id }) => user_id === userId)
}

async function createdBy(
  { parts, tasks, policies }: CreateTaskDependencies,
  parent: TaskParent,
  input: JsonObject,
  context: ToolContext,
): Promise<Task | string> {
  const { userId, agentId, agentHandle, callers = [] } = context
  if (parent.depth > maxDepth) throw taskTooDeepError.create({ max: maxDepth })
  const timezone = typeof input['timezone'] === 'string' ? input['timezone'] : undefined
  const due = timeOf(input['at'], timezone ?? context.timezone)
  if (typeof due === 'object') return `Not done: ${due.problem}`
  const wanted = typeof input['agent'] === 'string' ? input['agent'] : agentId
  const agent = await agentFor(parts, userId, wanted)
  // Who may not ask that agent does not let another one ask it either.
  for (const asking of [...callers, { id: agentId, handle: agentHandle }].filter(({ id }) => id !== agent.id)) {
    const principal = entityOf(userId, asking)
    const question = { principal, action: 'delegate', resource: entityOf(userId, agent), context: { depth: parent.depth } }
    const { allowed } = await policies.isAuthorized(question, { signal: context.signal })
    if (!allowed) throw taskAgentForbiddenError.create({ agent: agent.handle })
  }
  const schema = input['result_schema'] as JsonObject | undefined
  const { task } = await tasks.create(
    {
      ...{ kind: 'task', instruction: String(input['instruction']), agent: agent.id },
      ...(typeof input['title'] === 'string' ? { title: input['title'] } : {}),
      ...(due === undefined ? {} : { due_at: due }),
      ...(typeof input['cron'] === 'string' ? { schedule: { cron: input['cron'], timezone: timezone ?? null } } : {}),
      ...(schema === undefined ? {} : { result: { name: 'result', schema } }),
    },
    { ...creatorOf(context), parent },
  )
  return task
}

/** The execution that calls, if its run is one's; else the run alone. */
async function parentOf({ runs, database }: TaskParts, { userId, runId, callId, depth }: ToolContext, waits: boolean): Promise<TaskParent> {
  const { reportsTo } = await runs.get({ userId, runId })
  const execution = reportsTo?.kind === executionKind ? await database.collection(executionCollection).get(reportsTo.id) : undefined
  const task = execution && (await database.collection(taskCollection).get(execution.task_id))
  return {
    ...{ task_id: task?.id ?? null, execution_id: execution?.id ?? null, run_id: runId, call_id: callId, waits },
    depth: depth + 1,
  }
}

/**
 * Waits for an execution. While all that the calling execution does is wait, it needs no place; with
 * its last result it takes one again before it goes on.
 */
async function waitFor(
  { parts, engine }: CreateTaskDependencies,
  waiting: Map<string, number>,
  { executionId, parentExecution }: { readonly executionId: string; readonly parentExecution: string | null },
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<void> {
  if (parentExecution === null) return engine.untilEnded(executionId, signal)
  waiting.set(parentExecution, (waiting.get(parentExecution) ?? 0) + 1)
  let isLast = false
  try {
    await lendPlace(parts, parentExecution)
    engine.wake()
    await engine.untilEnded(executionId, signal)
  } finally {
    const left = (waiting.get(parentExecution) ?? 1) - 1
    isLast = left === 0
    if (isLast) waiting.delete(parentExecution)
    else waiting.set(parentExecution, left)
  }
  if (isLast) await engine.regainPlace(parentExecution, signal)
}

async function outcomeOf(task: Task, { database }: TaskParts, executionId: string): Promise<ToolResult> {
  const execution = await database.collection(executionCollection).get(executionId)
  if (!execution) return failed(`The task ${task.id} was deleted before it ended.`)
  if (execution.state !== 'completed') {
    const said = execution.answer ? ` Its text until then: ${execution.answer}` : ''
    return failed(`The task ${task.id} ${execution.state}: ${execution.failure?.message ?? 'no reason is known.'}${said}`)
  }
  return json({
    task_id: task.id,
    ...(execution.result ? { result: execution.result.value } : { answer: execution.answer ?? '' }),
    ...(execution.warnings.length > 0 ? { warnings: [...execution.warnings] } : {}),
  })
}

const entityOf = (userId: string, { id, handle = '' }: ToolCaller): PolicyEntity => ({
  ...{ type: 'Agent', id, attributes: { owner: { __entity: { type: 'User', id: userId } }, handle } },
  parents: [{ type: 'User', id: userId }],
})
