import type { Schemas } from '../api/index.js'

type Process = Schemas['SandboxProcess']

/** A process of an agent that runs. Its id follows from its title. */
export const process = (changes: Partial<Process> = {}): Process => ({
  actor: { handle: 'runner', id: 'agent_runner', kind: 'agent' },
  background: false,
  ended_at: null,
  exit: null,
  id: `process_${(changes.title ?? 'build').replaceAll(' ', '_')}`,
  kind: 'shell',
  output_bytes: 0,
  started_at: '2026-12-01T08:00:00Z',
  terminal: false,
  title: 'build',
  ...changes,
})

/** How it ended. */
export const ended = (exit: Partial<Schemas['SandboxExit']> = {}): Pick<Process, 'ended_at' | 'exit'> => ({
  ended_at: '2026-12-01T08:00:05Z',
  exit: { code: 0, cpu_ms: null, peak_memory_bytes: null, reason: 'exit', signal: null, ...exit },
})

const closed: Schemas['SandboxFence'] = { state: 'closed', by: 'bubblewrap', reason: '' }

/** A machine that closes each way out. */
export const status = (changes: Partial<Schemas['SandboxStatus']> = {}): Schemas['SandboxStatus'] => ({
  confines: true,
  disabled: false,
  driver: 'linux',
  fences: { files: closed, processes: closed, network: closed, destinations: closed, limits: closed },
  limits: {
    default_network_access: true,
    max_cpu_pct: 95,
    max_memory_pct: 50,
    max_total_cpu_pct: 95,
    max_total_memory_pct: 70,
    package_min_age_days: 7,
    timeout_secs: 0,
  },
  machine: null,
  mode: 'bubblewrap',
  reason: null,
  ...changes,
})

export const runner: Schemas['Agent'] = {
  approval: {},
  avatar: '',
  created_at: '2026-12-01T08:00:00Z',
  description: '',
  enabled: true,
  handle: 'runner',
  id: 'agent_runner',
  instructions: '',
  limits: {},
  memory: { enabled: false },
  model_group: 'primary',
  name: 'Runner',
  prompts: {},
  sandbox: { network: true },
  shared: null,
  skills: [],
  titles: { enabled: false },
  tools: [],
  updated_at: '2026-12-01T08:00:00Z',
  version: 1,
  warnings: [],
  workspace: 'runner',
}

/** A page that is the last one. */
export const page = <Item>(...items: Item[]): { items: Item[]; next_cursor: string | null } => ({ items, next_cursor: null })
