import type { JsonObject } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { EventName } from '@agent-service/sdk/services/events'
import type { Run } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'

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

/** What every state event of a run says of where it comes from. */
export const originOf = ({ id, chat_id, reports_to }: Pick<Run, 'id' | 'chat_id' | 'reports_to'>): JsonObject => ({
  chat_id,
  run_id: id,
  ...(reports_to === null ? {} : { reports_to }),
})

/** An event of a run; what {@link originOf} gives is added. */
export interface TransitionEvent {
  readonly name: EventName
  readonly data: JsonObject
}
