import type { Disposer, Logger } from '@agent-service/sdk'
import type { RunGate, WaitingRun } from '@agent-service/sdk/services/runs'
import type { Run } from '../../store/runs/run.js'

/** What of a stored run its gate is about. */
export type GatedRun = Pick<Run, 'id' | 'user_id' | 'reports_to'>

/** The gates of features, each for the runs that report to its kind. */
export interface RunGates {
  add(kind: string, gate: RunGate): Disposer
  /**
   * Whether a run has a gate. While plugins start, one that reports to anything may have one.
   */
  guards(run: GatedRun): boolean
  /** The run waits for a person. Its gate learns of it, also one that is added later. */
  rests(run: GatedRun): void
  /** Resolves when the run may go on. @throws what its gate throws, or the signal's reason. */
  pass(run: GatedRun, signal: AbortSignal): Promise<void>
  /** The run no longer waits here. */
  forget(runId: string): void
}

/** A run that waits, and what its gate is doing about that. */
interface Rest {
  readonly run: GatedRun
  noted: Promise<void>
}

/** `started` resolves when all plugins have started: no gate is expected any more then. */
export function createRunGates({ started, logger }: { readonly started: Promise<void>; readonly logger: Logger }): RunGates {
  const gates = new Map<string, RunGate>()
  const rests = new Map<string, Rest>()
  const added = new Set<() => void>()
  let isStarted = false
  void started.then(() => {
    isStarted = true
    for (const look of added) look()
  })

  const gateOf = ({ reports_to }: GatedRun): RunGate | undefined => (reports_to ? gates.get(reports_to.kind) : undefined)

  const note = (rest: Rest): void => {
    const view = viewOf(rest.run)
    const gate = gateOf(rest.run)
    if (!gate || !view) return
    rest.noted = gate
      .waiting(view)
      .catch((error: unknown) => logger.warn('The gate of a run did not take in that the run waits.', { run_id: view.runId, error }))
  }

  const untilKnown = (run: GatedRun, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isStarted && !gateOf(run) && !signal.aborted) return
        added.delete(look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      added.add(look)
      signal.addEventListener('abort', look, { once: true })
      look()
    })

  return {
    add(kind, gate) {
      gates.set(kind, gate)
      for (const rest of rests.values()) if (rest.run.reports_to?.kind === kind) note(rest)
      for (const look of added) look()
      return () => {
        if (gates.get(kind) === gate) gates.delete(kind)
      }
    },
    guards: (run) => run.reports_to !== null && (!isStarted || gateOf(run) !== undefined),
    rests(run) {
      if (run.reports_to === null) return
      const rest: Rest = { run, noted: Promise.resolve() }
      rests.set(run.id, rest)
      note(rest)
    },
    async pass(run, signal) {
      await untilKnown(run, signal)
      signal.throwIfAborted()
      await rests.get(run.id)?.noted
      const view = viewOf(run)
      if (view) await gateOf(run)?.goingOn(view, { signal })
      rests.delete(run.id)
    },
    forget: (runId) => void rests.delete(runId),
  }
}

const viewOf = ({ id, user_id, reports_to }: GatedRun): WaitingRun | undefined =>
  reports_to ? { userId: user_id, runId: id, reportsTo: { ...reports_to } } : undefined
