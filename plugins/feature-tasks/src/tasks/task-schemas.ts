import { instant, type JsonObject, namedObject, type Static, Type } from '@agent-service/sdk'

/** The members of a task that its owner sets, each with its bounds. */
export const taskMembers = {
  title: Type.String({ minLength: 1, maxLength: 200, description: 'One line for lists.' }),
  instruction: Type.String({ minLength: 1, maxLength: 50_000, description: 'What the agent is to do; of a reminder, its text.' }),
  agent: Type.String({ minLength: 1, maxLength: 100, description: 'The handle or id of the agent. Default: the first enabled one.' }),
  model_group: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
    description: 'Null: the agent’s. One that does not exist is replaced by the agent’s, with a warning.',
  }),
  tools: Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 }), Type.Null()], {
    description: 'Which of the agent’s tools it may use. Null: all of them.',
  }),
  max_seconds: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    description: 'How long one run may be at work, within the setting max_seconds.',
  }),
  result: Type.Union(
    [
      namedObject('NewTaskResultForm', {
        name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
        schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema that the result must fit, at most 64 KiB.' }),
      }),
      Type.Null(),
    ],
    { description: 'The form of the result. Null: free text.' },
  ),
  schedule: Type.Union(
    [
      namedObject('NewTaskSchedule', {
        cron: Type.String({
          minLength: 1,
          maxLength: 200,
          examples: ['0 9 * * MON-FRI'],
          description: 'Minute, hour, day of the month, month, day of the week; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`.',
        }),
        timezone: Type.Optional(
          Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
            description: 'An IANA zone. Null: that of the user’s profile, else of the service.',
          }),
        ),
      }),
      Type.Null(),
    ],
    { description: 'When it happens again and again. Null: once.' },
  ),
  due_at: Type.Union([instant(), Type.Null()], { description: 'When it happens, if it happens once. Null: at once.' }),
  missed: Type.Union([Type.Literal('once'), Type.Literal('skip'), Type.Literal('all')], {
    description: 'Times at which the service was not there: `once` makes up for all of them together, `all` for each, `skip` for none.',
  }),
  spread_secs: Type.Integer({ minimum: 0, maximum: 3_600, description: 'Tasks of equal times begin evenly over so many seconds.' }),
  max_retries: Type.Integer({ minimum: 0, maximum: 20, description: 'How often an attempt is repeated whose failure may pass.' }),
  retry_delay_secs: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'The wait before the first repetition; it doubles each time.',
  }),
  tool_failures: Type.Union([Type.Literal('fail'), Type.Literal('allow')], {
    description: '`fail`: a tool whose last call failed makes the task fail.',
  }),
  notify: Type.Union([Type.Literal('always'), Type.Literal('failures'), Type.Literal('never')], {
    description: 'Of which ends its owner is notified.',
  }),
  check: Type.Union(
    [
      namedObject('AlwaysCheck', { kind: Type.Literal('always') }),
      namedObject('FileCheck', {
        kind: Type.Literal('file'),
        path: Type.String({ minLength: 1, maxLength: 1_000, description: 'Below the agent’s workspace.' }),
      }),
      namedObject('TasksCheck', { kind: Type.Literal('tasks') }),
    ],
    {
      description:
        'What is looked at before the agent is asked, without a model: a file or folder, or whether a task of the agent has ended.',
    },
  ),
  max_runs: Type.Integer({ minimum: 1, maximum: 1_440, description: 'Of a heartbeat: how often the agent may be asked in 24 hours.' }),
  max_tokens: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Of a heartbeat: how many tokens it may use in 24 hours.' }),
}

const { title, instruction, ...others } = taskMembers
const optional = {
  agent: Type.Optional(others.agent),
  model_group: Type.Optional(others.model_group),
  tools: Type.Optional(others.tools),
  max_seconds: Type.Optional(others.max_seconds),
  result: Type.Optional(others.result),
  schedule: Type.Optional(others.schedule),
  due_at: Type.Optional(others.due_at),
  missed: Type.Optional(others.missed),
  spread_secs: Type.Optional(others.spread_secs),
  max_retries: Type.Optional(others.max_retries),
  retry_delay_secs: Type.Optional(others.retry_delay_secs),
  tool_failures: Type.Optional(others.tool_failures),
  notify: Type.Optional(others.notify),
  check: Type.Optional(others.check),
  max_runs: Type.Optional(others.max_runs),
  max_tokens: Type.Optional(others.max_tokens),
}

/** The body that creates a task. */
export const newTaskSchema = Type.Object({
  kind: Type.Optional(
    Type.Union([Type.Literal('task'), Type.Literal('reminder'), Type.Literal('heartbeat')], { description: 'Default `task`.' }),
  ),
  title: Type.Optional(title),
  instruction,
  ...optional,
})

/** The body that changes one. */
export const taskChangeSchema = Type.Object({ title: Type.Optional(title), instruction: Type.Optional(instruction), ...optional })

/** A schema of the type of JSON: the compiler knows the parsed one only as an object. */
type WithResult<Input> = Omit<Input, 'result'> & { readonly result?: { readonly name: string; readonly schema: JsonObject } | null }

export type NewTaskInput = WithResult<Static<typeof newTaskSchema>>
export type TaskChangeInput = WithResult<Static<typeof taskChangeSchema>>
