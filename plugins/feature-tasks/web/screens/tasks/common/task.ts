import type { MarkName } from '@agent-service/sdk/web'
import type { Schemas } from '../../../api/index.js'
import { t } from './texts.js'

export type Task = Schemas['Task']
export type TaskDetails = Schemas['TaskDetails']
export type Execution = Schemas['TaskExecution']
export type Status = Task['status']
export type Kind = Task['kind']
export type State = Execution['state']

export const statuses = [
  'working',
  'waiting',
  'queued',
  'scheduled',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const satisfies Status[]
const kinds: readonly string[] = ['task', 'reminder', 'heartbeat'] satisfies Kind[]

export const isKind = (text: string): text is Kind => kinds.includes(text)

/** Whether a task does nothing more by itself. */
export const isOver = ({ status }: Pick<Task, 'status'>): boolean => status === 'completed' || status === 'failed' || status === 'cancelled'

export const isEnded = ({ state }: Pick<Execution, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled'

export const markOf: Readonly<Record<Status | State, MarkName>> = {
  scheduled: 'off',
  queued: 'think',
  starting: 'run',
  running: 'run',
  working: 'run',
  waiting: 'wait',
  paused: 'pause',
  completed: 'done',
  failed: 'fail',
  cancelled: 'off',
}

/** A task that happens once cannot be changed when it has ended. */
export const canChange = (task: Task): boolean => !isOver(task) || task.schedule !== null

/** What is wrong with a task now: what keeps it from going on, or why its last run failed. */
export function failureOf({ problem, last, status }: Task): Schemas['TaskFailure'] | null {
  if (problem) return problem
  const isNews = status !== 'working' && status !== 'waiting' && status !== 'cancelled'
  return isNews && last?.state === 'failed' ? last.failure : null
}

/** What an outcome of a heartbeat's look means. */
export function outcomeText(outcome: string | null): string {
  if (outcome === 'nothing_to_do') return t('outcome_nothing')
  if (outcome === 'asked') return t('outcome_asked')
  if (outcome === 'budget_spent') return t('outcome_budget')
  return t('outcome_none')
}

export function checkText(check: { readonly kind: string; readonly path?: string }): string {
  if (check.kind === 'file') return t('check_file_of', { path: check.path ?? '' })
  return check.kind === 'tasks' ? t('check_tasks') : t('check_always')
}
