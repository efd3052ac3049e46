import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { TaskParts } from './parts/task-parts.js'
import { executionCollection, isEnded } from './store/execution.js'
import { saveTask } from './store/save-task.js'
import { isFinal, taskCollection } from './store/task.js'
import { plannedTimes, textOf } from './times/plan-task.js'

const dayMs = 24 * 3_600_000

/** Moves the times of tasks whose zone is that of their owner's profile when that has changed. */
export const createFollowZonesJob = (parts: TaskParts, wake: () => void): SchedulerJob =>
  defineJob({
    id: 'feature-tasks.follow-zones',
    everySeconds: 60,
    async run({ signal }) {
      const { database, accounts, clock, events } = parts
      const zones = new Map<string, string | undefined>()
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await database
          .collection(taskCollection)
          .query({ index: 'by_zone', from: '', limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        for (const { id, user_id, follows_zone } of page.items) {
          if (!zones.has(user_id)) zones.set(user_id, (await accounts.get(user_id))?.timezone)
          const zone = zones.get(user_id)
          if (zone === undefined || zone === follows_zone) continue
          await database.transaction(async (transaction) => {
            const task = await transaction.get(taskCollection, id)
            if (task?.follows_zone !== follows_zone || task.planned_from === null) return
            const after = { ...task, ...plannedTimes(task, { zone, from: Date.parse(task.planned_from) }) }
            await saveTask(transaction, events, { before: task, after, now: textOf(clock.now()) })
          })
        }
        cursor = page.nextCursor
      } while (cursor !== undefined)
      wake()
    },
  })

/** Deletes history that is older than the setting, and tasks that happened once and ended before. */
export const createPruneJob = ({ database, clock, limits }: TaskParts): SchedulerJob =>
  defineJob({
    id: 'feature-tasks.prune',
    everySeconds: 3_600,
    timeoutSeconds: 300,
    async run({ signal }) {
      const until = textOf(clock.now() - limits.historyDays * dayMs)
      for (const collection of [executionCollection, taskCollection] as const) {
        for (;;) {
          signal.throwIfAborted()
          const old = await database
            .collection<{ readonly id: string }>(collection)
            .query({ index: 'by_end', from: '', to: until, limit: 100 })
          if (old.items.length === 0) break
          await database.transaction(async (transaction) => {
            for (const { id } of old.items) {
              if (collection === executionCollection) {
                const execution = await transaction.get(executionCollection, id)
                if (execution && isEnded(execution)) transaction.delete(executionCollection, id)
                continue
              }
              const task = await transaction.get(taskCollection, id)
              if (task && isFinal(task.status)) transaction.delete(taskCollection, id)
            }
          })
        }
      }
    },
  })
