import type { JsonObject } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { EventName } from '@agent-service/sdk/services/events'
import type { Run } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'

/**
 * One transition of a run: everything in it is written together, or nothing is. It may be tried
 * again, so its functions have no outside effects.
 */
export interface Transition {
  readonly steps: readonly RunStepBody[]
  /**
   * The members of the run that change besides `step_count`; `attempts` is 1 after a step unless
   * stated here. Receives the stored run.
   */
  readonly run?: (now: string, stored: Run) => Partial<Run>
  /**
   * Checks the stored run before anything is written. @throws an error for the caller: nothing is
   * written then.
   */
  readonly check?: (stored: Run) => void
  /** Other documents of the same transaction. */
  readonly write?: (transaction: Transaction, now: string) => Promise<void> | void
  /** The events for watchers, created after {@link write} from the updated run. */
  readonly events?: (run: Run) => readonly TransitionEvent[]
}

/** Joins two transitions: the second one sees the writes of the first. */
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

/** The members of every state event that identify its run. */
export const originOf = ({ id, chat_id, reports_to }: Pick<Run, 'id' | 'chat_id' | 'reports_to'>): JsonObject => ({
  chat_id,
  run_id: id,
  ...(reports_to === null ? {} : { reports_to }),
})

/** An event of a run; the members of {@link originOf} are added. */
export interface TransitionEvent {
  readonly name: EventName
  readonly data: JsonObject
}
