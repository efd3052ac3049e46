import { type JsonObject, named, namedObject, Type } from '@agent-service/sdk'
import { type Execution, executionStates, executionTriggers, usageOf } from '../store/execution.js'
import { missedPolicies, type Task, taskKinds, taskStatuses } from '../store/task.js'
import { nextTimes } from '../times/plan-task.js'

const text = Type.String()
const textOrNull = Type.Union([Type.String(), Type.Null()])
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))
const count = Type.Integer({ minimum: 0 })

export const failureSchema = Type.Union([
  named(
    'TaskFailure',
    Type.Object({ code: Type.String({ description: 'Stable.' }), message: Type.String({ description: 'A sentence for people.' }) }),
  ),
  Type.Null(),
])

const parentSchema = namedObject('TaskParent', {
  task_id: textOrNull,
  execution_id: textOrNull,
  run_id: text,
  call_id: text,
  waits: Type.Boolean({ description: 'Whether that call waits for the result.' }),
  depth: count,
})

export const taskSchema = namedObject('Task', {
  id: text,
  kind: oneOf(taskKinds),
  title: text,
  instruction: text,
  agent: Type.Union([namedObject('TaskAgent', { id: text, handle: text }), Type.Null()]),
  model_group: textOrNull,
  tools: Type.Union([Type.Array(text), Type.Null()]),
  max_seconds: count,
  result: Type.Union([namedObject('TaskResultForm', { name: text, schema: Type.Object({}, { additionalProperties: true }) }), Type.Null()]),
  schedule: Type.Union([namedObject('TaskSchedule', { cron: text, timezone: textOrNull }), Type.Null()]),
  due_at: textOrNull,
  missed: oneOf(missedPolicies),
  spread_secs: count,
  max_retries: count,
  retry_delay_secs: count,
  tool_failures: oneOf(['fail', 'allow']),
  notify: oneOf(['always', 'failures', 'never']),
  heartbeat: Type.Union([
    namedObject('TaskHeartbeat', {
      check: Type.Object({ kind: text, path: Type.Optional(text) }),
      max_runs: count,
      max_tokens: count,
      looked_at: textOrNull,
      outcome: textOrNull,
    }),
    Type.Null(),
  ]),
  parent: Type.Union([parentSchema, Type.Null()]),
  guests: Type.Union([namedObject('TaskGuests', { tools: Type.Array(text) }), Type.Null()], {
    description: 'It was created in a chat in which guests write: its runs have these tools and no memory. Null: the user’s own.',
  }),
  callers: Type.Array(Type.String(), {
    examples: [[]],
    description:
      'The agents for which its runs work: the one that created it, after those for which that one worked. Network and agents that are closed to one of them are closed to the runs. Empty: you created it.',
  }),
  created_by: oneOf(['person', 'agent']),
  status: oneOf(taskStatuses),
  problem: failureSchema,
  timezone: Type.Union([Type.String(), Type.Null()], { description: 'The zone of `next_at`.' }),
  next_at: Type.Union([Type.String(), Type.Null()], { description: 'The next time, before its share of `spread_secs`.' }),
  backlog: Type.Integer({ minimum: 0, description: 'Missed times that are still to be made up for.' }),
  execution_id: Type.Union([Type.String(), Type.Null()], { description: 'What is at work, else what waits for a place.' }),
  last: Type.Union([
    namedObject('TaskEnd', { execution_id: text, state: oneOf(executionStates), at: text, failure: failureSchema }),
    Type.Null(),
  ]),
  late: Type.Union(
    [
      named(
        'TaskLate',
        Type.Object({
          scheduled_for: text,
          noticed_at: text,
          code: Type.String({
            description: 'Stable: `not_noticed`, `left_out`, `earlier_at_work`, `earlier_waits`, `no_place`, `attempt_failed`, `starting`.',
          }),
          message: Type.String({ description: 'Why, in a sentence for people.' }),
        }),
      ),
      Type.Null(),
    ],
    { description: 'The newest time at which no run began, of which its owner was told. Null again once a run begins in time.' },
  ),
  counts: Type.Object({ completed: count, failed: count, cancelled: count, missed: count }),
  created_at: text,
  updated_at: text,
  ended_at: textOrNull,
})

/** A task as its owner sees it. */
export function viewOfTask(task: Task): JsonObject {
  const { heartbeat, parent, zone, backlog, queued, active, agent, schedule, result, last } = task
  return {
    ...{ id: task.id, kind: task.kind, title: task.title, instruction: task.instruction, agent: agent && { ...agent } },
    ...{ model_group: task.model_group, tools: task.tools && [...task.tools], max_seconds: task.max_seconds },
    ...{ result: result && { ...result }, schedule: schedule && { ...schedule }, due_at: task.due_at },
    ...{ missed: task.missed, spread_secs: task.spread_secs, max_retries: task.max_retries },
    ...{ retry_delay_secs: task.retry_delay_secs, tool_failures: task.tool_failures, notify: task.notify },
    heartbeat: heartbeat && {
      ...{ check: { ...heartbeat.check }, max_runs: heartbeat.max_runs, max_tokens: heartbeat.max_tokens },
      ...{ looked_at: heartbeat.looked_at, outcome: heartbeat.outcome },
    },
    ...{ parent: parent && { ...parent }, created_by: task.created_by, status: task.status },
    guests: task.guests && { tools: [...task.guests.tools] },
    callers: [...task.callers],
    ...{ problem: task.problem && { ...task.problem }, timezone: zone, next_at: task.next_at },
    ...{ backlog: backlog.length, execution_id: active ?? queued },
    late: task.late && { ...task.late },
    last: last && { ...last, failure: last.failure && { ...last.failure } },
    ...{ counts: { ...task.counts }, created_at: task.created_at, updated_at: task.updated_at, ended_at: task.ended_at },
  }
}

const upcoming = 5

export const taskDetailsSchema = named(
  'TaskDetails',
  Type.Object({
    ...taskSchema.properties,
    next_times: Type.Array(Type.String(), { description: 'The next five times, in UTC.' }),
    budget_used: Type.Optional(
      namedObject(
        'TaskBudgetUsed',
        { runs: count, tokens: count },
        { description: 'What a heartbeat has used in the last 24 hours. Only where one task is read.' },
      ),
    ),
  }),
)

export const detailsOfTask = (task: Task): JsonObject => ({ ...viewOfTask(task), next_times: [...nextTimes(task, upcoming)] })

const usageSchema = namedObject('TaskUsage', {
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
})

export const executionSchema = namedObject('TaskExecution', {
  id: text,
  task_id: text,
  state: oneOf(executionStates),
  trigger: oneOf(executionTriggers),
  scheduled_for: textOrNull,
  represents: Type.Integer({ minimum: 0, description: 'How many due times it stands for.' }),
  waiting_for: textOrNull,
  not_before: Type.Union([Type.String(), Type.Null()], { description: 'When a failed attempt is repeated.' }),
  attempts: Type.Array(
    namedObject('TaskAttempt', {
      number: count,
      run_id: textOrNull,
      chat_id: Type.Union([Type.String(), Type.Null()], { description: '`GET /api/usage/chats/{chat_id}` has its cost.' }),
      started_at: text,
      ended_at: textOrNull,
      failure: failureSchema,
      usage: Type.Union([usageSchema, Type.Null()]),
    }),
  ),
  transitions: Type.Array(namedObject('TaskTransition', { state: oneOf(executionStates), at: text, note: text })),
  answer: textOrNull,
  result: Type.Union([namedObject('TaskResult', { value: Type.Unknown() }), Type.Null()]),
  failure: failureSchema,
  warnings: Type.Array(text),
  usage: usageSchema,
  cost_usd: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of all attempts. Null: no model was called, or its price is not known.',
  }),
  parent_execution_id: textOrNull,
  created_at: text,
  started_at: textOrNull,
  ended_at: textOrNull,
})

/** An execution as its owner sees it. */
export function viewOfExecution(execution: Execution, costUsd: number | null): JsonObject {
  return {
    ...{ id: execution.id, task_id: execution.task_id, state: execution.state, trigger: execution.trigger },
    ...{ scheduled_for: execution.scheduled_for, represents: execution.represents, waiting_for: execution.waiting_for },
    not_before: execution.not_before,
    attempts: execution.attempts.map(({ key: _, usage, failure, ...attempt }) => ({
      ...attempt,
      failure: failure && { ...failure },
      usage: usage && { ...usage },
    })),
    transitions: execution.transitions.map((transition) => ({ ...transition })),
    ...{ answer: execution.answer, result: execution.result && { ...execution.result } },
    ...{ failure: execution.failure && { ...execution.failure }, warnings: [...execution.warnings], usage: { ...usageOf(execution) } },
    ...{ cost_usd: costUsd, parent_execution_id: execution.parent_execution },
    ...{ created_at: execution.created_at, started_at: execution.started_at, ended_at: execution.ended_at },
  }
}
