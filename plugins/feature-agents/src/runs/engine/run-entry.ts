import type { Disposer } from '@agent-service/sdk'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { RunSession, StopCause } from '../session/run-session.js'

/** A run in this process. `resting`: something has to come before it may wait for its turn. */
export interface RunEntry {
  readonly runId: string
  readonly userId: string
  state: 'resting' | 'waiting' | 'driven'
  /** A call of another run waits for it, so it goes on in that one's place: waiting for one of its own, both could wait for ever. */
  readonly inParentsPlace: boolean
  /** The run as it was stored, where this process has stored it and nobody has driven it yet. */
  fresh: FreshRun | undefined
  session: RunSession | undefined
  failures: number
  /** It was woken while it was driven, so it looks again before it rests. */
  woken: boolean
  /** Gives its place among the driven back, once. */
  leave: () => void
  stopTimer: Disposer | undefined
  stopCause: StopCause | undefined
  readonly controller: AbortController
  readonly ended: Promise<void>
  readonly end: () => void
  /** Resolves once it costs no work of this process for now: it waits for its model, a tool, a person or its turn, or is gone. */
  readonly underWay: Promise<void>
  readonly reportUnderWay: () => void
}

/** A run that has come to this process. */
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
