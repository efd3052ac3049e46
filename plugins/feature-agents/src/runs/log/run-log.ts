import { defineError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { isFinished, type Run, runCollection } from '../../store/runs/run.js'
import { type RunStep, runStepCollection } from '../../store/runs/run-step.js'
import { checkTransition } from './run-states.js'
import { originOf, type Transition, type TransitionEvent } from './transition.js'

/** Another driver has claimed the run, or it has ended: the driver that gets this error stops. */
export const runSupersededError = defineError<{ readonly runId: string }>({
  code: 'run_superseded',
  status: 409,
  title: 'Run superseded',
  message: ({ runId }) => `The run ${runId} has ended or is driven by another process.`,
})

/**
 * A person has written to a run that was about to end, so it continues. Internal: the code that
 * ends the run catches it.
 */
export const inputWaitingError = defineError<Record<string, never>>({
  code: 'run_input_waiting',
  status: 409,
  title: 'Input waiting',
  message: () => 'A message came while the run was about to end.',
})

/** The stored steps and events of one transition. */
export interface CommittedTransition {
  readonly steps: readonly RunStep[]
  readonly events: readonly TransitionEvent[]
}

/** Receives the committed transitions of runs. */
export interface CommittedRunEvents {
  /**
   * Receives the steps and state events of one transition, after its transaction and in order, with
   * the updated run. Must not throw.
   */
  report(run: Run, committed: CommittedTransition): void
}

/** Writes the log of runs. */
export interface RunLog {
  /** Writes a transition and returns the updated run. @throws `run_superseded`. */
  append(run: Run, transition: Transition): Promise<Run>
  /**
   * Writes the first transition of a run in the transaction that stores the run. Returns the
   * updated run.
   */
  begin(transaction: Transaction, run: Run, transition: Transition): Promise<Run>
  /** The run as it is stored now. @throws `run_superseded`. */
  current(run: Run): Promise<Run>
  /** The steps of a run, in order. `from`: those from this index on. */
  read(runId: string, from?: number): Promise<readonly RunStep[]>
}

export function createRunLog(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  /** Receives the appended steps for watchers in this process. Default: none. */
  readonly watchers?: CommittedRunEvents
}): RunLog {
  const { database, events, clock, watchers } = dependencies
  const runs = database.collection(runCollection)
  const steps = database.collection(runStepCollection)

  const write = async (
    transaction: Transaction,
    run: Run,
    transition: Transition,
    committed: { readonly steps: RunStep[]; readonly events: TransitionEvent[] } = { steps: [], events: [] },
  ): Promise<Run> => {
    transition.check?.(run)
    const now = new Date(clock.now()).toISOString()
    let index = run.step_count
    for (const body of transition.steps) {
      const step: RunStep = {
        id: `${run.id}/${String(index).padStart(6, '0')}`,
        run_id: run.id,
        user_id: run.user_id,
        index,
        epoch: run.epoch,
        at: now,
        body,
      }
      transaction.insert(runStepCollection, step)
      committed.steps.push(step)
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
      committed.events.push(event)
      events.record(transaction, {
        userId: run.user_id,
        name: event.name,
        data: { ...originOf(run), ...event.data },
      })
    }
    return changed
  }

  return {
    async append(run, transition) {
      let committed: { readonly steps: RunStep[]; readonly events: TransitionEvent[] } = { steps: [], events: [] }
      const changed = await database.transaction(async (transaction) => {
        committed = { steps: [], events: [] }
        const current = await transaction.get(runCollection, run.id)
        if (!current || current.epoch !== run.epoch || isFinished(current)) throw runSupersededError.create({ runId: run.id })
        return write(transaction, current, transition, committed)
      })
      watchers?.report(changed, committed)
      return changed
    },

    begin: (transaction, run, transition) => write(transaction, run, transition),

    async current(run) {
      const stored = await runs.get(run.id)
      if (!stored || stored.epoch !== run.epoch || isFinished(stored)) throw runSupersededError.create({ runId: run.id })
      return stored
    },

    async read(runId, from = 0) {
      const all: RunStep[] = []
      let cursor: string | undefined
      do {
        const page = await steps.query({ index: 'by_run', equals: [runId], from, limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        all.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    },
  }
}
