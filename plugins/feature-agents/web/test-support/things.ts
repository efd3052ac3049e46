import type { Schemas } from '../api/index.js'

const at = '2026-12-01T08:00:00Z'

/** One page of a list, which has no other. */
export const pageOf = <Item = never>(...items: Item[]): { items: Item[]; next_cursor: null } => ({ items, next_cursor: null })

/** A chat that rests and has been answered in. Its id follows from its title. */
export const chat = (members: Partial<Schemas['Chat']> = {}): Schemas['Chat'] => ({
  active_run_id: null,
  agent_id: 'agent_own',
  archived: false,
  beside_run_id: null,
  branch_count: 1,
  branch_id: 'branch_own',
  callers: [],
  compaction: false,
  comparison: null,
  created_at: at,
  expires_at: null,
  guests: null,
  hidden: false,
  id: `chat_${(members.title ?? 'jam').toLowerCase()}`,
  message_count: 2,
  model: null,
  pinned: false,
  space_id: null,
  tags: [],
  temporary: false,
  title: 'Jam',
  updated_at: at,
  ...members,
})

/** A space. Its id follows from its name. */
export const space = (name: string): Schemas['Space'] => ({
  context: '',
  created_at: at,
  description: '',
  id: `space_${name.toLowerCase()}`,
  name,
  summary: null,
  summary_updated_at: null,
  updated_at: at,
})

export const agent = (members: Partial<Schemas['Agent']> = {}): Schemas['Agent'] => ({
  approval: {},
  avatar: '',
  created_at: at,
  description: '',
  enabled: true,
  handle: 'own',
  id: 'agent_own',
  instructions: '',
  limits: {},
  memory: { enabled: true },
  model_group: 'primary',
  name: 'Helper',
  prompts: {},
  sandbox: { network: false },
  shared: null,
  skills: [],
  titles: { enabled: true },
  tools: [],
  updated_at: at,
  version: 1,
  warnings: [],
  workspace: 'own',
  ...members,
})

/** A model group. Its model is called as the group is. */
export const model = (name: string): Schemas['ModelGroup'] => ({
  brand: 'brand',
  brand_name: 'Brand',
  context_window: 100_000,
  fallbacks: [],
  model: `${name}-model`,
  name,
  provider: 'upstream',
  title: `${name}-model`,
})

/** A message of the person, or an answer of an agent, in one piece. */
export const message = (
  role: 'user' | 'assistant',
  text: string,
  members: Partial<Schemas['Message']> & Pick<Schemas['Message'], 'sequence'>,
): Schemas['Message'] => ({
  branch_id: 'branch_own',
  chat_id: 'chat_jam',
  content: [{ type: 'text', text }],
  created_at: at,
  id: `message_${members.sequence}`,
  role,
  run_id: 'run_first',
  status: 'complete',
  ...members,
})

/** A run that has ended. */
export const run = (members: Partial<Schemas['Run']> = {}): Schemas['Run'] => ({
  agent_id: 'agent_own',
  asking: [],
  branch_id: 'branch_own',
  cancel_requested_at: null,
  chat_id: 'chat_jam',
  created_at: at,
  failure: null,
  finished_at: at,
  id: 'run_first',
  model_group: 'primary',
  model_source: 'agent',
  parent_run_id: null,
  retry: null,
  started_at: at,
  status: 'completed',
  turns: 1,
  usage: { cached_input_tokens: 0, input_tokens: 10, output_tokens: 5, reasoning_tokens: 0 },
  ...members,
})

/** What a sandbox says of itself that confines what runs in it. */
export const sandbox = (members: Partial<Schemas['SandboxStatus']> = {}): Schemas['SandboxStatus'] => ({
  confines: true,
  disabled: false,
  driver: 'process',
  fences: null,
  limits: {} as Schemas['SandboxStatus']['limits'],
  machine: null,
  mode: 'auto',
  reason: null,
  ...members,
})

/** What the memory says of itself, with a plain back end or without one. */
export const memoryStatus = (available = true) => ({
  available,
  backend: 'basic',
  last_sweep: null,
  moving: false,
  supports: { history: false, passes: false, revisions: false, sweep: false },
  title: null,
})
