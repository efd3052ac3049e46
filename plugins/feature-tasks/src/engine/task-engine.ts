import { setMaxListeners } from 'node:events'
import type { Disposer } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { documentsOf } from '@agent-service/sdk/services/database'
import type { RunGate } from '@agent-service/sdk/services/runs'
import type { TaskParts } from '../parts/task-parts.js'
import { executionCollection, isEnded } from '../store/execution.js'
import { laneMembers } from '../store/queue-execution.js'
import { taskCollection } from '../store/task.js'
import { textOf } from '../times/plan-task.js'
import { claimFrom } from './claim-execution.js'
import { driveExecution } from './drive-execution.js'
import { fireTask } from './fire-task.js'
import { createLanes, type LaneOwner } from './lanes.js'
import { readPlaces } from './places.js'
import { takeBack, waitForPerson } from './waiting.js'

/** The longest delay that a timer can hold, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1
/** How long after a failed pass the next one begins, in milliseconds. */
const retryMs = 1_000

/** Whether only users who have no place get one. */
interface Turn {
  readonly isFirst: boolean
}

const turns: readonly Turn[] = [{ isFirst: true }, { isFirst: false }]

/**
 * What moves tasks in this process: it notices due times, gives places, and follows what is at work.
 * All of its state is in the store; what is in memory says only where to look. Several processes may
 * have one each.
 */
export interface TaskEngine {
  /** Begins, with what an earlier process left. */
  begin(): Promise<void>
  /** Something has changed: a lane has more, a task is due earlier, an execution is to be cancelled. */
  wake(lane?: string | null): void
  /** Asks the run of an execution to stop, once that is stored. */
  stopRun(executionId: string): void
  /** Resolves when an execution has ended, in whatever process. @throws the signal's reason. */
  untilEnded(executionId: string, signal: AbortSignal): Promise<void>
  /**
   * Resolves when an execution that gave its place away has one again, before any other begins.
   * @throws the signal's reason.
   */
  regainPlace(executionId: string, signal: AbortSignal): Promise<void>
  /**
   * Of the runs of executions: one that waits for a person gives its place away, and goes on when it
   * has one again.
   */
  readonly gate: RunGate
  /** Resolves when a pass that began after this call is over. */
  settled(): Promise<void>
  counts(): { readonly atWork: number; readonly queuedLanes: number }
  /** Begins nothing more and leaves what is at work to the next process. */
  end(): Promise<void>
}

export function createTaskEngine(parts: TaskParts): TaskEngine {
  const { database, clock, runs, log, limits } = parts
  const tasks = database.collection(taskCollection)
  const executions = database.collection(executionCollection)
  const lanes = createLanes()
  const ending = new AbortController()
  // Everything that is at work waits with it.
  setMaxListeners(0, ending.signal)
  const driven = new Map<string, Promise<void>>()
  const waiters = new Map<string, Set<() => void>>()
  const resuming = new Map<string, () => void>()
  let atWork = 0
  let stopTimer: Disposer = () => undefined
  let pass: Promise<void> | undefined
  let isAgain = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const release = (id: string): void => {
    for (const resolve of waiters.get(id) ?? []) resolve()
  }

  const drive = (id: string): void => {
    if (driven.has(id) || ending.signal.aborted) return
    const work = driveExecution(parts, id, ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted)
          log.error('An execution of a task could not be followed; it is looked at again at the next poll.', { execution: id, error })
        return null
      })
      .then((lane) => {
        driven.delete(id)
        release(id)
        if (!ending.signal.aborted) wake(lane)
      })
    driven.set(id, work)
  }

  const fireDue = async (): Promise<void> => {
    const now = textOf(clock.now() + 1)
    for (;;) {
      const due = await tasks.query({ index: 'by_wake', from: '', to: now, limit: 100 })
      let failed = 0
      for (const { id } of due.items) {
        if (ending.signal.aborted) return
        try {
          const lane = await fireTask(parts, id)
          if (lane !== undefined) lanes.add(lane)
        } catch (error) {
          failed += 1
          log.error('A due task could not be begun; it is tried again at the next poll.', { task: id, error })
        }
      }
      if (due.items.length === failed) return
    }
  }

  /** Repetitions whose time has come wait for a place again. */
  const requeueDue = async (): Promise<void> => {
    for (;;) {
      const due = await executions.query({ index: 'by_wake', from: '', to: textOf(clock.now() + 1), limit: 100 })
      for (const { id } of due.items) {
        const lane = await database.transaction(async (transaction) => {
          const execution = await transaction.get(executionCollection, id)
          const task = execution && (await transaction.get(taskCollection, execution.task_id))
          if (execution?.not_before == null) return undefined
          const place = task ? laneMembers(task, textOf(clock.now())) : { lane: null, lane_at: null }
          transaction.put(executionCollection, { ...execution, not_before: null, ...place })
          return place.lane
        })
        if (lane != null) lanes.add(lane)
      }
      if (due.items.length === 0 || ending.signal.aborted) return
    }
  }

  /** Everything that has begun and is not followed in this process. */
  const followAll = async (): Promise<void> => {
    const begun = { index: 'by_hand', equals: [true], pageSize: 200 }
    for await (const { id } of documentsOf(database, executionCollection, begun)) drive(id)
  }

  /** Finds every lane, each by one step over the index. */
  const findLanes = async (): Promise<void> => {
    let from = ''
    for (;;) {
      const page = await executions.query({ index: 'by_lane', from, limit: 1 })
      const [first] = page.items
      if (first?.lane == null) return
      lanes.add(first.lane)
      from = `${first.lane}\u0001`
    }
  }

  const dispatch = async ({ isFirst }: Turn): Promise<void> => {
    for (;;) {
      const places = await readPlaces(parts)
      atWork = places.taken
      if (ending.signal.aborted || places.taken >= limits.maxConcurrent) return
      let isChanged = false
      const mayHave = ({ userId, agentId }: LaneOwner): boolean =>
        !(isFirst && places.ofUser(userId) > 0) && places.free({ user_id: userId, agent_id: agentId }) !== undefined
      for (const lane of lanes.inTurn(places, mayHave)) {
        const claimed = await claimFrom(parts, lane, places)
        if (claimed.outcome === 'empty') lanes.remove(lane)
        if (claimed.outcome === 'claimed') {
          lanes.served(lane)
          drive(claimed.execution.id)
        }
        isChanged = claimed.outcome === 'claimed' || claimed.outcome === 'taken'
        if (isChanged) break
      }
      if (!isChanged) return
    }
  }

  const goOn = async (turn: Turn): Promise<void> => {
    for (const [id, resolve] of resuming) {
      if (!(await takeBack(parts, id, turn))) continue
      resuming.delete(id)
      resolve()
    }
  }

  const runPass = async (): Promise<void> => {
    await fireDue()
    await requeueDue()
    if (clock.monotonic() - lookedAt >= limits.pollMs) {
      lookedAt = clock.monotonic()
      await findLanes()
      await followAll()
    }
    // Those that go on come before those that begin, but after the first place of every user.
    for (const turn of turns) {
      await goOn(turn)
      await dispatch(turn)
    }
  }

  const schedule = (delayMs: number): void => {
    void stopTimer()
    if (ending.signal.aborted) return
    stopTimer = clock.after(Math.min(maxDelayMs, Math.max(0, delayMs)), () => void passes())
  }

  /** The poll, or the first due time if that is sooner. */
  const nextDelay = async (): Promise<number> => {
    const [task] = (await tasks.query({ index: 'by_wake', from: '', limit: 1 })).items
    const [execution] = (await executions.query({ index: 'by_wake', from: '', limit: 1 })).items
    const times = [task?.wake_at, execution?.not_before].flatMap((time) => (time == null ? [] : [Date.parse(time) - clock.now()]))
    return Math.min(limits.pollMs, ...times)
  }

  /** One pass at a time; what wakes it meanwhile leads to another one. */
  const passes = (): Promise<void> => {
    isAgain = true
    pass ??= (async () => {
      let delayMs = retryMs
      try {
        while (isAgain && !ending.signal.aborted) {
          isAgain = false
          await runPass()
        }
        delayMs = await nextDelay()
      } catch (error) {
        if (!ending.signal.aborted) log.error('Due tasks could not be looked for; it is tried again in a second.', { error })
      } finally {
        pass = undefined
        schedule(isAgain ? 0 : delayMs)
      }
    })()
    return pass
  }

  const wake = (lane?: string | null): void => {
    if (lane != null) lanes.add(lane)
    if (!ending.signal.aborted) void passes()
  }

  const regainPlace: TaskEngine['regainPlace'] = async (executionId, signal) => {
    const { promise, resolve } = deferred()
    resuming.set(executionId, resolve)
    void passes()
    try {
      await abortable(() => promise, signal)
    } finally {
      if (resuming.get(executionId) === resolve) resuming.delete(executionId)
    }
  }

  return {
    begin: passes,
    wake,
    regainPlace,
    gate: {
      async waiting({ reportsTo }) {
        await waitForPerson(parts, reportsTo.id)
        wake()
      },
      goingOn: ({ reportsTo }, { signal }) => regainPlace(reportsTo.id, AbortSignal.any([signal, ending.signal])),
    },
    stopRun(executionId) {
      const stop = async (): Promise<void> => {
        const execution = await executions.get(executionId)
        const runId = execution?.attempts.at(-1)?.run_id
        if (execution && runId != null && !isEnded(execution))
          await runs.cancel({ userId: execution.user_id, runId }, { signal: ending.signal })
        if (!execution || isEnded(execution)) return release(executionId)
        drive(executionId)
      }
      stop().catch((error: unknown) => {
        if (!ending.signal.aborted)
          log.warn('The run of a cancelled task could not be stopped; it is tried again at the next poll.', { error })
      })
    },
    async untilEnded(executionId, signal) {
      for (;;) {
        const execution = await executions.get(executionId)
        if (!execution || isEnded(execution)) return
        const { promise, resolve } = deferred()
        const those = waiters.get(executionId) ?? new Set()
        waiters.set(executionId, those.add(resolve))
        // Another process may be the one that ends it.
        const stop = clock.after(limits.pollMs, resolve)
        try {
          const now = await executions.get(executionId)
          if (!now || isEnded(now)) return
          await abortable(() => promise, signal)
        } finally {
          void stop()
          those.delete(resolve)
          if (those.size === 0) waiters.delete(executionId)
        }
      }
    },
    async settled() {
      await pass
      await passes()
    },
    counts: () => ({ atWork, queuedLanes: lanes.size }),
    async end() {
      ending.abort(new Error('The service is stopping.'))
      void stopTimer()
      await pass
      await Promise.all(driven.values())
    },
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
