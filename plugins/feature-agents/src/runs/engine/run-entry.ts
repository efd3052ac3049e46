import type { Disposer } from '@agent-service/sdk'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { RunSession, StopCause } from '../session/run-session.js'
import type { GatedRun } from './run-gates.js'

/**
 * A run in this process. `resting`: the run waits for an event or a timer before it queues for a
 * slot.
 */
export interface RunEntry {
  readonly runId: string
  readonly userId: string
  state: 'resting' | 'waiting' | 'driven'
  /**
   * A call of another run waits for it, so it shares that run's slot: if it waited for its own,
   * both could wait forever.
   */
  readonly inParentsPlace: boolean
  /** The stored run, if this process has just stored it and it was not driven yet. */
  fresh: FreshRun | undefined
  session: RunSession | undefined
  failures: number
  /** The run was woken while it was driven, so it checks again before it rests. */
  woken: boolean
  /** The run as it came to wait for a person, until it may go on. */
  rested: GatedRun | undefined
  /** Its gate is asked whether it may go on. */
  isAtGate: boolean
  /** Releases its slot, once. */
  leave: () => void
  stopTimer: Disposer | undefined
  stopCause: StopCause | undefined
  readonly controller: AbortController
  readonly ended: Promise<void>
  readonly end: () => void
  /**
   * Resolves when the run needs no work of this process for now: it waits for its model, a tool, a
   * person or its turn, or was released.
   */
  readonly underWay: Promise<void>
  readonly reportUnderWay: () => void
}

/** The entry of a run that comes to this process. */
export function newEntry(run: Pick<Run, 'id' | 'user_id'> & { readonly parent?: Run['parent'] }, fresh: FreshRun | undefined): RunEntry {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let reportUnderWay: () => void = () => undefined
  const underWay = new Promise<void>((resolve) => {
    reportUnderWay = resolve
  })
  return {
    runId: run.id,
    userId: run.user_id,
    state: 'resting',
    inParentsPlace: (run.parent?.call_id ?? null) !== null,
    fresh,
    session: undefined,
    failures: 0,
    woken: false,
    rested: undefined,
    isAtGate: false,
    leave: () => undefined,
    stopTimer: undefined,
    stopCause: undefined,
    controller: new AbortController(),
    ended,
    end,
    underWay,
    reportUnderWay,
  }
}
