import { fieldOfMoment, momentOfField } from '@agent-service/sdk/web'
import type { Schemas } from '../../../api/index.js'
import type { Kind, Task } from '../common/task.js'

export type NewTaskBody = Schemas['CreateTask']
export type When = 'now' | 'at' | 'again'
type Check = Schemas['AlwaysCheck'] | Schemas['FileCheck'] | Schemas['TasksCheck']

/** What is typed in the form; numbers as texts. */
export interface Draft {
  readonly kind: Kind
  /** Empty: the first enabled agent. */
  readonly agent: string
  readonly title: string
  readonly instruction: string
  readonly when: When
  /** The value of a `datetime-local` field. */
  readonly at: string
  readonly cron: string
  /** Empty: that of the profile. */
  readonly zone: string
  readonly missed: Task['missed']
  readonly spread: string
  /** Empty: the agent's. */
  readonly modelGroup: string
  /** Names, separated by commas or spaces; empty: all of the agent's. */
  readonly tools: string
  readonly maxRetries: string
  readonly retryDelay: string
  /** Empty: the limit of the service. */
  readonly maxSeconds: string
  readonly notify: Task['notify']
  readonly toolFailures: Task['tool_failures']
  readonly hasResult: boolean
  readonly resultName: string
  readonly resultSchema: string
  readonly check: Check['kind']
  readonly path: string
  readonly maxRuns: string
  readonly maxTokens: string
}

/** The members of the body that have other names. */
const paths: Partial<Record<keyof Draft, string>> = {
  at: '/due_at',
  cron: '/schedule',
  zone: '/schedule/timezone',
  spread: '/spread_secs',
  modelGroup: '/model_group',
  maxRetries: '/max_retries',
  retryDelay: '/retry_delay_secs',
  maxSeconds: '/max_seconds',
  resultName: '/result/name',
  resultSchema: '/result',
  path: '/check/path',
  maxRuns: '/max_runs',
  maxTokens: '/max_tokens',
}

/** Where a member of the draft is in the body, as a JSON pointer. */
export const pathOf = (name: keyof Draft): string => paths[name] ?? `/${name}`

/** The key of the text that says what is wrong with a member. */
type Wrong = 'required' | 'past' | 'not_json_object' | 'whole_number' | 'result_name_help'

const resultExample = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] }

export const emptyDraft = (kind: Kind, when: When): Draft => ({
  ...{ kind, agent: '', title: '', instruction: '', when, at: '', cron: '0 9 * * *', zone: '' },
  ...{ spread: '30', modelGroup: '', tools: '' },
  ...{ missed: kind === 'heartbeat' ? 'skip' : 'once', maxRetries: '2', retryDelay: '60', maxSeconds: '' },
  ...{ notify: 'always', toolFailures: 'fail', hasResult: false, resultName: 'result' },
  ...{ resultSchema: JSON.stringify(resultExample, null, 2), check: 'always', path: '', maxRuns: '24', maxTokens: '200000' },
})

export function draftOf(task: Task): Draft {
  const check = task.heartbeat?.check
  return {
    ...emptyDraft(task.kind, task.schedule ? 'again' : task.due_at === null ? 'now' : 'at'),
    ...{ agent: task.agent?.id ?? '', title: task.title, instruction: task.instruction },
    ...(task.due_at !== null && { at: fieldOfMoment(task.due_at) }),
    ...(task.schedule && { cron: task.schedule.cron, zone: task.schedule.timezone ?? '' }),
    ...{ spread: String(task.spread_secs), modelGroup: task.model_group ?? '', tools: (task.tools ?? []).join(', ') },
    ...{ missed: task.missed, maxRetries: String(task.max_retries), retryDelay: String(task.retry_delay_secs) },
    ...{ maxSeconds: String(task.max_seconds), notify: task.notify, toolFailures: task.tool_failures },
    ...(task.result && { hasResult: true, resultName: task.result.name, resultSchema: JSON.stringify(task.result.schema, null, 2) }),
    ...(task.heartbeat && { maxRuns: String(task.heartbeat.max_runs), maxTokens: String(task.heartbeat.max_tokens) }),
    ...(check && { check: check.kind === 'file' || check.kind === 'tasks' ? check.kind : 'always', path: check.path ?? '' }),
  }
}

/** What can be said without asking the service. `start`: the draft as it was opened. */
export function problemsOf(draft: Draft, start: Draft, now = Date.now()): Partial<Record<keyof Draft, Wrong>> {
  const at = momentOfField(draft.at)
  const isPast = at !== undefined && Date.parse(at) <= now && draft.at !== start.at
  const isWhole = (text: string): boolean => /^\d+$/.test(text.trim())
  const isReminder = draft.kind === 'reminder'
  return {
    ...(draft.instruction.trim() === '' && { instruction: 'required' as const }),
    ...(draft.when === 'at' && (at === undefined || isPast) && { at: at === undefined ? ('required' as const) : ('past' as const) }),
    ...(draft.when === 'again' && draft.cron.trim() === '' && { cron: 'required' as const }),
    ...(draft.when === 'again' && !isWhole(draft.spread) && { spread: 'whole_number' as const }),
    ...(!isReminder && !isWhole(draft.maxRetries) && { maxRetries: 'whole_number' as const }),
    ...(!isReminder && !isWhole(draft.retryDelay) && { retryDelay: 'whole_number' as const }),
    ...(!isReminder && draft.maxSeconds.trim() !== '' && !isWhole(draft.maxSeconds) && { maxSeconds: 'whole_number' as const }),
    ...(hasForm(draft) && schemaIn(draft.resultSchema) === undefined && { resultSchema: 'not_json_object' as const }),
    ...(hasForm(draft) && !/^[A-Za-z0-9_-]{1,64}$/.test(draft.resultName) && { resultName: 'result_name_help' as const }),
    ...(draft.kind === 'heartbeat' && {
      ...(draft.check === 'file' && draft.path.trim() === '' && { path: 'required' as const }),
      ...(!isWhole(draft.maxRuns) && { maxRuns: 'whole_number' as const }),
      ...(!isWhole(draft.maxTokens) && { maxTokens: 'whole_number' as const }),
    }),
  }
}

const hasForm = ({ kind, hasResult }: Draft): boolean => kind === 'task' && hasResult

function schemaIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

function namesIn(text: string): string[] | null {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** The body that creates the task. The draft has no problems. */
export function bodyOf(draft: Draft): NewTaskBody {
  const { kind, title, agent, when, zone } = draft
  const at = momentOfField(draft.at)
  const isHeartbeat = kind === 'heartbeat'
  return {
    ...{ kind, instruction: draft.instruction },
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(when === 'at' && at !== undefined && { due_at: at, schedule: null }),
    ...(when === 'again' && {
      schedule: { cron: draft.cron.trim(), timezone: zone === '' ? null : zone },
      ...{ missed: draft.missed, spread_secs: Number(draft.spread) },
    }),
    ...(kind !== 'reminder' && {
      ...(agent !== '' && { agent }),
      ...{ model_group: draft.modelGroup === '' ? null : draft.modelGroup, tools: namesIn(draft.tools) },
      ...{ max_retries: Number(draft.maxRetries), retry_delay_secs: Number(draft.retryDelay) },
      ...(draft.maxSeconds.trim() !== '' && { max_seconds: Number(draft.maxSeconds) }),
      ...{ notify: draft.notify, tool_failures: draft.toolFailures },
    }),
    ...(kind === 'task' && { result: draft.hasResult ? { name: draft.resultName, schema: { ...schemaIn(draft.resultSchema) } } : null }),
    ...(isHeartbeat && {
      check: draft.check === 'file' ? { kind: 'file' as const, path: draft.path.trim() } : { kind: draft.check },
      ...{ max_runs: Number(draft.maxRuns), max_tokens: Number(draft.maxTokens) },
    }),
  }
}

/** What differs from how the task was, without what never changes. */
export function changesOf(start: Draft, draft: Draft): Schemas['UpdateTask'] {
  const before: Readonly<Record<string, unknown>> = { ...bodyOf(start) }
  const { kind: _, ...after } = bodyOf(draft)
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)))
}
