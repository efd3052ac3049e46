import { lookAt } from '../heartbeats/look.js'
import { notifyOfTask } from '../notifications/notify-of-task.js'
import type { TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection } from '../store/execution.js'
import { queueExecution } from '../store/queue-execution.js'
import { saveTask } from '../store/save-task.js'
import { type Heartbeat, type Task, taskCollection } from '../store/task.js'
import { dueTimes, maxMissed, spreadMs } from '../times/due-times.js'
import { plannedTimes, textOf, withoutTimes } from '../times/plan-task.js'
import { giveAlarm, lateNow, leftOut, notNoticed, withExpectedRun } from './late-runs.js'

/** How late a time may be and is not yet missed, beside the poll, in milliseconds. */
const graceMs = 60_000

/**
 * Does what a due task is due for. That it is, what it leads to, and its next time are one
 * transaction: a crash leaves all of it or nothing, and a second process finds it done. Returns the
 * lane in which something waits now.
 */
export async function fireTask(parts: TaskParts, taskId: string): Promise<string | undefined> {
  const { database, clock, accounts, events, metrics, limits } = parts
  const found = await database.collection(taskCollection).get(taskId)
  if (found?.wake_at == null || Date.parse(found.wake_at) > clock.now()) return undefined
  const account = await accounts.get(found.user_id)
  const look = account && found.heartbeat ? await lookAt(parts, found, account) : undefined
  const fired = await database.transaction(async (transaction) => {
    const task = await transaction.get(taskCollection, taskId)
    if (task?.wake_at == null || task.wake_at !== found.wake_at) return undefined
    const now = textOf(clock.now())
    if (!account) {
      const problem = { code: 'task_owner_gone', message: 'The account of this task’s owner is closed or disabled, so the task is paused.' }
      await saveTask(transaction, events, { before: task, after: { ...task, ...withoutTimes(), paused: true, problem }, now })
      return undefined
    }
    const due = dueOf(parts, task, account.timezone)
    const onward = { ...task, ...due.next }
    const isLate = clock.now() - Date.parse(task.wake_at) >= limits.lateMs
    const planned = { scheduledFor: task.next_at ?? now, wakeAt: task.wake_at }
    if (due.times.length === 0) {
      const counted = { ...onward, counts: missedMore(task, due.missed) }
      // A heartbeat looks again at its next time.
      const isMissed = due.missed > 0 && (isLate || task.kind !== 'heartbeat')
      const alarm = { scheduledFor: planned.scheduledFor, reason: leftOut(due.missed) }
      const after = isMissed ? await giveAlarm(parts, transaction, counted, alarm) : counted
      await saveTask(transaction, events, { before: task, after, now })
      return { ...due, lane: undefined, late: lateNow(task, after) }
    }
    if (task.heartbeat && look && look.outcome !== 'asked') {
      const heartbeat: Heartbeat = { ...task.heartbeat, looked_at: now, outcome: look.outcome }
      const isNews = look.outcome !== task.heartbeat.outcome
      await saveTask(transaction, events, { before: task, after: { ...onward, heartbeat }, now, isSilent: !isNews })
      return { ...due, lane: undefined, late: undefined }
    }
    const heartbeat: Heartbeat | null = task.heartbeat && { ...task.heartbeat, looked_at: now, outcome: 'asked', seen: look?.seen ?? null }
    const counted = { ...onward, heartbeat, counts: missedMore(task, due.missed) }
    if (task.kind === 'reminder') {
      await remind(parts, { before: task, after: counted, due, now, transaction })
      return { ...due, lane: undefined, late: undefined }
    }
    const expected = withExpectedRun(counted, planned, limits.lateMs)
    const told = isLate
      ? await giveAlarm(parts, transaction, expected, { scheduledFor: planned.scheduledFor, reason: notNoticed })
      : expected
    const { after, execution, changed, dropped } = await queued(told, due, now, async (id) => transaction.get(executionCollection, id))
    for (const each of changed) transaction.put(executionCollection, each)
    await saveTask(transaction, events, { before: task, after, now, execution })
    return { ...due, missed: due.missed + dropped, lane: execution.lane ?? undefined, late: lateNow(task, after) }
  })
  if (!fired) return undefined
  if (look) metrics.heartbeat(look.outcome)
  metrics.fired(clock.now() - Date.parse(found.wake_at))
  metrics.missed(fired.missed)
  metrics.late(fired.late)
  return fired.lane
}

interface Due {
  /** Each one that is made up for, the oldest first. */
  readonly times: readonly string[]
  /** How many times the last of them stands for. */
  readonly represents: number
  /** Times that nothing is done for. */
  readonly missed: number
  readonly next: ReturnType<typeof withoutTimes>
}

/** What a task is due for, by its policy about missed times, and when it is due again. */
function dueOf({ clock, limits }: TaskParts, task: Task, userZone: string): Due {
  const now = clock.now()
  const { schedule, next_at } = task
  if (schedule === null || task.planned_from === null)
    return { times: [next_at ?? textOf(now)], represents: 1, missed: 0, next: withoutTimes() }
  const zone = schedule.timezone ?? userZone
  const from = Date.parse(task.planned_from)
  // The profile's zone has changed since: the times of the old one no longer count.
  if (zone !== task.zone) return { times: [], represents: 0, missed: 0, next: plannedTimes(task, { zone, from }) }
  const until = now - spreadMs(task.id, task.spread_secs)
  const due = next_at === null ? undefined : dueTimes({ cron: schedule.cron }, zone, { first: Date.parse(next_at), until })
  if (!due) return { times: [], represents: 0, missed: 0, next: plannedTimes(task, { zone, from }) }
  const next = plannedTimes(task, { zone, from: due.last, known: due.next })
  const last = textOf(due.last)
  const missed = due.times.length - 1
  if (task.missed === 'all') {
    const times = due.times.map(textOf)
    return { times: due.isMore ? [...times.slice(1), last] : times, represents: 1, missed: due.isMore ? 1 : 0, next }
  }
  if (task.missed === 'skip' && until - due.last > graceMs + limits.pollMs)
    return { times: [], represents: 0, missed: due.times.length, next }
  return task.missed === 'skip' ? { times: [last], represents: 1, missed, next } : { times: [last], represents: missed + 1, missed, next }
}

const missedMore = ({ counts }: Task, missed: number): Task['counts'] =>
  missed === 0 ? counts : { ...counts, missed: counts.missed + missed }

interface Queued {
  readonly after: Task
  readonly execution: Execution
  readonly changed: readonly Execution[]
  /** Times for which the backlog has no room; they are counted as missed. */
  readonly dropped: number
}

/** Puts the due times into the queue, behind what waits there already. */
async function queued(
  task: Task,
  { times, represents }: Due,
  now: string,
  read: (id: string) => Promise<Execution | undefined>,
): Promise<Queued> {
  const waiting = task.queued === null ? undefined : await read(task.queued)
  const trigger = task.schedule === null ? 'due' : 'schedule'
  if (task.missed !== 'all') {
    const scheduledFor = times.at(-1) ?? null
    // What was to be made up for by an earlier policy. What was to run without a time stands for none.
    const before = task.backlog.length + (waiting && waiting.scheduled_for !== null ? waiting.represents : 0)
    const after: Task = { ...task, backlog: [] }
    const more: Execution | undefined = waiting && { ...waiting, scheduled_for: scheduledFor, represents: before + represents }
    if (more) return { after, execution: more, changed: [more], dropped: 0 }
    const made = queueExecution(after, { trigger, scheduledFor, represents: before + represents, now })
    return { after: made.task, execution: made.execution, changed: [made.execution], dropped: 0 }
  }
  const all = [...task.backlog, ...times]
  const [first = null] = all
  const others = waiting ? all : all.slice(1)
  const backlog = others.slice(0, maxMissed)
  const dropped = others.length - backlog.length
  const after: Task = { ...task, backlog, counts: missedMore(task, dropped) }
  if (waiting) return { after, execution: waiting, changed: [], dropped }
  const made = queueExecution(after, { trigger, scheduledFor: first, represents, now })
  return { after: made.task, execution: made.execution, changed: [made.execution], dropped }
}

/** A reminder happens at once: its execution is its record. */
async function remind(
  { events, notifications }: TaskParts,
  change: {
    readonly before: Task
    readonly after: Task
    readonly due: Due
    readonly now: string
    readonly transaction: Parameters<typeof saveTask>[0]
  },
): Promise<void> {
  const { before, after, due, now, transaction } = change
  const scheduledFor = due.times.at(-1) ?? null
  const { execution: made } = queueExecution(after, {
    trigger: after.schedule ? 'schedule' : 'due',
    scheduledFor,
    represents: due.represents + due.times.length - 1,
    now,
  })
  const execution: Execution = {
    ...made,
    ...{ state: 'completed', lane: null, lane_at: null, answer: after.instruction },
    transitions: [{ state: 'completed', at: now, note: 'The person was reminded.' }],
    ...{ started_at: now, ended_at: now },
  }
  transaction.insert(executionCollection, execution)
  const last = { execution_id: execution.id, state: 'completed', at: now, failure: null } as const
  await saveTask(transaction, events, {
    before,
    after: { ...after, last, counts: { ...after.counts, completed: after.counts.completed + 1 } },
    now,
    execution,
  })
  const notification = { kind: 'task.reminder', text: after.instruction } as const
  await notifyOfTask(notifications, transaction, { task: after, execution, notification })
}
