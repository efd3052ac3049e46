import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Transaction } from '@agent-service/sdk/services/database'
import { giveAlarm, giveDueAlarm, isAlarmDue, lateNow, notNoticed } from './engine/late-runs.js'
import type { TaskParts } from './parts/task-parts.js'
import { saveTask } from './store/save-task.js'
import { type Task, taskCollection } from './store/task.js'
import { textOf } from './times/plan-task.js'

/** The most late tasks that are looked at and counted at once. */
const maxLate = 1_000

type Give = (transaction: Transaction, task: Task) => Promise<Task | undefined>

/**
 * Gives the alarms that are due, beside the engine: that may be what does not move. Each is stored with
 * its task, so of several processes one gives it. `report` hears how many tasks are late.
 */
export const createLateJob = (parts: TaskParts, report: (count: number) => void): SchedulerJob =>
  defineJob({
    id: 'feature-tasks.late',
    everySeconds: 60,
    async run({ signal }) {
      const now = textOf(parts.clock.now())
      const give = async (id: string, work: Give): Promise<void> => {
        signal.throwIfAborted()
        parts.metrics.late(await changed(parts, id, work))
      }
      for (const { id } of await readTo(parts, 'by_alarm', now))
        await give(id, async (transaction, task) => (isAlarmDue(task, now) ? giveDueAlarm(parts, transaction, task) : undefined))
      for (const { id, wake_at } of await unnoticed(parts))
        await give(id, async (transaction, task) => {
          const { next_at } = task
          if (next_at === null || task.wake_at !== wake_at || task.late?.scheduled_for === next_at) return undefined
          return giveAlarm(parts, transaction, task, { scheduledFor: next_at, reason: notNoticed })
        })
      report((await lateTasks(parts)).length)
    },
  })

/** The tasks that are late now, at most 1,000 of each kind. */
export async function lateTasks(parts: LateParts): Promise<readonly Task[]> {
  const now = textOf(parts.clock.now())
  const expected = await readTo(parts, 'by_unstarted', now)
  const waiting = expected.filter(({ alarm_at }) => alarm_at === null || alarm_at <= now)
  return [...new Map([...waiting, ...(await unnoticed(parts))].map((task) => [task.id, task])).values()]
}

type LateParts = Pick<TaskParts, 'database' | 'clock' | 'limits'>

/** What is due for so long that nothing can have noticed it. */
const unnoticed = (parts: LateParts): Promise<readonly Task[]> => readTo(parts, 'by_wake', textOf(parts.clock.now() - parts.limits.lateMs))

/** The tasks whose time in an index has come by `until`, the oldest first. */
async function readTo({ database }: LateParts, index: string, until: string): Promise<readonly Task[]> {
  const found: Task[] = []
  let cursor: string | undefined
  do {
    const place = { index, from: '', to: afterText(until), limit: 200, ...(cursor !== undefined && { cursor }) }
    const page = await database.collection(taskCollection).query(place)
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < maxLate)
  return found
}

/** The end of a range that has this moment too. */
const afterText = (moment: string): string => textOf(Date.parse(moment) + 1)

async function changed({ database, clock, events }: TaskParts, id: string, work: Give): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    const task = await transaction.get(taskCollection, id)
    const after = task && (await work(transaction, task))
    if (!after) return undefined
    await saveTask(transaction, events, { before: task, after, now: textOf(clock.now()) })
    return lateNow(task, after)
  })
}
