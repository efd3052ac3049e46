import { defineError, type JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { EventName, Events } from '@agent-service/sdk/services/events'
import { isFinished, type Run, runCollection } from './run.js'
import { checkTransition } from './run-states.js'
import { type RunStep, type RunStepBody, runStepCollection } from './run-step.js'
import type { RunWatchers } from './run-watchers.js'

/** Another driver has taken the run up, or it has ended: the one that gets this error stops. */
export const runSupersededError = defineError<{ readonly runId: string }>({
  code: 'run_superseded',
  status: 409,
  title: 'Run superseded',
  message: ({ runId }) => `The run ${runId} has ended or is driven by another process.`,
})

/** A person has written to a run that was about to end: it goes on. Internal: the one who wanted to end it catches it. */
export const inputWaitingError = defineError<Record<string, never>>({
  code: 'run_input_waiting',
  status: 409,
  title: 'Input waiting',
  message: () => 'A message came while the run was about to end.',
})

/** One transition of a run: everything in it is written together, or nothing is. It may be tried again, so its functions have no outside effects. */
export interface Transition {
  readonly steps: readonly RunStepBody[]
  /** Members of the run that change beside `step_count`; `attempts` is 1 after a step where this does not say otherwise. Gets the run as it is stored. */
  readonly run?: (now: string, stored: Run) => Partial<Run>
  /** Looks at the run as it is stored, before anything is written. @throws what the caller waits for: nothing is written then. */
  readonly check?: (stored: Run) => void
  /** Other documents of the same transaction. */
  readonly write?: (transaction: Transaction, now: string) => Promise<void> | void
  /** What those who watch are told, made after {@link write} from the run as it is then. */
  readonly events?: (run: Run) => readonly TransitionEvent[]
}

/** Two transitions as one: what the second writes sees what the first wrote. */
export function joinTransitions(first: Transition, second: Transition): Transition {
  return {
    steps: [...first.steps, ...second.steps],
    run: (now, stored) => ({ ...first.run?.(now, stored), ...second.run?.(now, stored) }),
    check(stored) {
      first.check?.(stored)
      second.check?.(stored)
    },
    async write(transaction, now) {
      await first.write?.(transaction, now)
      await second.write?.(transaction, now)
    },
    events: (run) => [...(first.events?.(run) ?? []), ...(second.events?.(run) ?? [])],
  }
}

/** An event of a run; the chat's and the run's id are added. */
export interface TransitionEvent {
  readonly name: EventName
  readonly data: JsonObject
}

/** Writes the log of runs. */
export interface RunLog {
  /** Writes a transition and gives the run as it is then. @throws `run_superseded`. */
  append(run: Run, transition: Transition): Promise<Run>
  /** Writes the first transition of a run in the transaction that stores the run. Gives the run as it is then. */
  begin(transaction: Transaction, run: Run, transition: Transition): Promise<Run>
  /** The run as it is stored now. @throws `run_superseded`. */
  current(run: Run): Promise<Run>
  /** All steps of a run, in order. */
  read(runId: string): Promise<readonly RunStep[]>
}

export function createRunLog(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  /** Those who watch from inside this process are told what was appended. Default: nobody. */
  readonly watchers?: Pick<RunWatchers, 'tell'>
}): RunLog {
  const { database, events, clock, watchers } = dependencies
  const runs = database.collection(runCollection)
  const steps = database.collection(runStepCollection)

  const write = async (transaction: Transaction, run: Run, transition: Transition, told: TransitionEvent[] = []): Promise<Run> => {
    transition.check?.(run)
    const now = new Date(clock.now()).toISOString()
    let index = run.step_count
    for (const body of transition.steps) {
      transaction.insert(runStepCollection, {
        id: `${run.id}/${String(index).padStart(6, '0')}`,
        run_id: run.id,
        user_id: run.user_id,
        index,
        epoch: run.epoch,
        at: now,
        body,
      })
      index += 1
    }
    const changed: Run = {
      ...run,
      attempts: transition.steps.length > 0 ? 1 : run.attempts,
      ...transition.run?.(now, run),
      step_count: index,
      last_step: transition.steps.at(-1)?.type ?? run.last_step,
    }
    checkTransition(run, { status: changed.status, steps: transition.steps })
    transaction.put(runCollection, changed)
    await transition.write?.(transaction, now)
    for (const event of transition.events?.(changed) ?? []) {
      told.push(event)
      events.record(transaction, {
        userId: run.user_id,
        name: event.name,
        data: { chat_id: run.chat_id, run_id: run.id, ...event.data },
      })
    }
    return changed
  }

  return {
    async append(run, transition) {
      let told: TransitionEvent[] = []
      const changed = await database.transaction(async (transaction) => {
        told = []
        const current = await transaction.get(runCollection, run.id)
        if (!current || current.epoch !== run.epoch || isFinished(current)) throw runSupersededError.create({ runId: run.id })
        return write(transaction, current, transition, told)
      })
      watchers?.tell(changed, told)
      return changed
    },

    begin: (transaction, run, transition) => write(transaction, run, transition),

    async current(run) {
      const stored = await runs.get(run.id)
      if (!stored || stored.epoch !== run.epoch || isFinished(stored)) throw runSupersededError.create({ runId: run.id })
      return stored
    },

    async read(runId) {
      const all: RunStep[] = []
      let cursor: string | undefined
      do {
        const page = await steps.query({ index: 'by_run', equals: [runId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        all.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    },
  }
}
