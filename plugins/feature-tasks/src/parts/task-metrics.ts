import type { Metrics } from '@agent-service/sdk/services/metrics'

const secondsLate = [0.1, 1, 5, 15, 60, 300, 3_600, 86_400]
const secondsInQueue = [0.1, 1, 10, 60, 300, 3_600, 86_400]

/** What is measured of tasks. */
export interface TaskMetrics {
  /** A due time was noticed so late, in milliseconds. */
  fired(lateMs: number): void
  missed(count: number): void
  /** The alarm about a planned time was given, with this code. Undefined: none was. */
  late(code: string | undefined): void
  /** An execution got a place after so long, in milliseconds. */
  started(waitedMs: number): void
  ended(state: string, code: string | undefined): void
  retried(): void
  heartbeat(outcome: string): void
}

/** Counts what tasks do; `read` gives what is in the queue and at work. */
export function createTaskMetrics(
  metrics: Metrics,
  read: () => { readonly atWork: number; readonly queuedLanes: number; readonly max: number; readonly late: number },
): TaskMetrics {
  const lateness = metrics.histogram({
    name: 'task_lateness_seconds',
    help: 'Time from the due time of a task to the moment at which it was queued.',
    labels: [],
    buckets: secondsLate,
  })
  const waits = metrics.histogram({
    name: 'task_queue_seconds',
    help: 'Time that executions of tasks waited for a place.',
    labels: [],
    buckets: secondsInQueue,
  })
  const missed = metrics.counter({ name: 'task_times_missed_total', help: 'Due times that were collapsed or skipped.', labels: [] })
  const late = metrics.counter({
    name: 'task_late_total',
    help: 'Planned times of tasks at which no run began within late_secs, by reason.',
    labels: ['reason'],
  })
  const ended = metrics.counter({
    name: 'task_executions_ended_total',
    help: 'Executions of tasks that have ended, by state: completed, failed or cancelled.',
    labels: ['state'],
  })
  const failures = metrics.counter({
    name: 'task_failures_total',
    help: 'Executions of tasks that failed, by the code of the failure.',
    labels: ['code'],
  })
  const retries = metrics.counter({ name: 'task_retries_total', help: 'Attempts at a task that were repeated.', labels: [] })
  const heartbeats = metrics.counter({
    name: 'task_heartbeats_total',
    help: 'Heartbeats by outcome: asked, nothing_to_do or budget_spent.',
    labels: ['outcome'],
  })
  metrics.gauge({
    name: 'tasks_at_work',
    help: 'Tasks that have a place, of at most server.max_concurrent_tasks.',
    labels: [],
    read: () => [{ labels: {}, value: read().atWork }],
  })
  metrics.gauge({
    name: 'tasks_at_work_max',
    help: 'The places for tasks.',
    labels: [],
    read: () => [{ labels: {}, value: read().max }],
  })
  metrics.gauge({
    name: 'task_agents_waiting',
    help: 'Agents with tasks that wait for a place.',
    labels: [],
    read: () => [{ labels: {}, value: read().queuedLanes }],
  })
  metrics.gauge({
    name: 'tasks_late',
    help: 'Tasks whose time passed by more than late_secs without a run, as counted in the last minute, at most 1000.',
    labels: [],
    read: () => [{ labels: {}, value: read().late }],
  })
  return {
    fired: (lateMs) => lateness.observe({}, Math.max(0, lateMs) / 1_000),
    late: (code) => (code === undefined ? undefined : late.add({ reason: code })),
    missed: (count) => (count > 0 ? missed.add({}, count) : undefined),
    started: (waitedMs) => waits.observe({}, Math.max(0, waitedMs) / 1_000),
    ended(state, code) {
      ended.add({ state })
      if (code !== undefined) failures.add({ code })
    },
    retried: () => retries.add({}),
    heartbeat: (outcome) => heartbeats.add({ outcome }),
  }
}
