import type { Schemas } from '../api/index.js'

type Task = Schemas['Task']
type Run = Schemas['TaskExecution']

/** A task that waits for its time. Its id follows from its title. */
export const task = (changes: Partial<Task> = {}): Task => ({
  agent: { id: 'agent_clerk', handle: 'clerk' },
  backlog: 0,
  callers: [],
  counts: { cancelled: 0, completed: 0, failed: 0, missed: 0 },
  created_at: '2026-12-01T08:00:00Z',
  created_by: 'person',
  due_at: null,
  ended_at: null,
  execution_id: null,
  guests: null,
  heartbeat: null,
  id: `task_${(changes.title ?? 'Report').toLowerCase().replaceAll(' ', '_')}`,
  instruction: 'Write a report of the week.',
  kind: 'task',
  last: null,
  late: null,
  max_retries: 2,
  max_seconds: 3_600,
  missed: 'once',
  model_group: null,
  next_at: null,
  notify: 'always',
  parent: null,
  problem: null,
  result: null,
  retry_delay_secs: 60,
  schedule: null,
  spread_secs: 30,
  status: 'scheduled',
  timezone: 'UTC',
  title: 'Report',
  tool_failures: 'fail',
  tools: null,
  updated_at: '2026-12-01T08:00:00Z',
  ...changes,
})

/** A task as its page has it. */
export const details = (changes: Partial<Schemas['TaskDetails']> = {}): Schemas['TaskDetails'] => ({
  next_times: [],
  ...task(changes),
  ...changes,
})

/** Fridays at half past five in Tokyo, of which five are known. */
export const weekly = {
  schedule: { cron: '30 17 * * FRI', timezone: 'Asia/Tokyo' },
  timezone: 'Asia/Tokyo',
  next_at: '2999-01-04T08:30:00Z',
  next_times: ['2999-01-04', '2999-01-11', '2999-01-18', '2999-01-25', '2999-02-01'].map((day) => `${day}T08:30:00Z`),
}

export const modelFailure = { code: 'task_model_failed', message: 'The model could not be called: The vendor is gone.' }

/** A run that ended well within three seconds. */
export const run = (changes: Partial<Run> = {}): Run => ({
  answer: null,
  attempts: [],
  cost_usd: null,
  created_at: '2026-12-01T09:00:00Z',
  ended_at: '2026-12-01T09:00:03Z',
  failure: null,
  id: 'run_1',
  not_before: null,
  parent_execution_id: null,
  represents: 1,
  result: null,
  scheduled_for: null,
  started_at: '2026-12-01T09:00:00Z',
  state: 'completed',
  task_id: 'task_report',
  transitions: [],
  trigger: 'now',
  usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 },
  waiting_for: null,
  warnings: [],
  ...changes,
})

export const attempt = (changes: Partial<Run['attempts'][number]> = {}): Run['attempts'][number] => ({
  chat_id: 'chat_1',
  ended_at: null,
  failure: null,
  number: 1,
  run_id: null,
  started_at: '2026-12-01T09:00:00Z',
  usage: null,
  ...changes,
})

export const clerk: Schemas['Agent'] = {
  approval: {},
  avatar: '',
  created_at: '2026-12-01T08:00:00Z',
  description: '',
  enabled: true,
  handle: 'clerk',
  id: 'agent_clerk',
  instructions: '',
  limits: {},
  memory: { enabled: false },
  model_group: 'primary',
  name: 'Clerk',
  prompts: {},
  sandbox: { network: false },
  shared: null,
  skills: [],
  titles: { enabled: false },
  tools: [],
  updated_at: '2026-12-01T08:00:00Z',
  version: 1,
  warnings: [],
  workspace: 'clerk',
}

/** A page that is the last one. */
export const page = <Item>(...items: Item[]): { items: Item[]; next_cursor: string | null } => ({ items, next_cursor: null })
