import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { type Counts, createCounts } from '../../common/counts.js'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { RunClaims, RunControl } from './claim-run.js'
import type { RunDriver } from './run-driver.js'
import { newEntry, type RunEntry } from './run-entry.js'
import type { RunGates } from './run-gates.js'
import type { RunLimits, RunSlots } from './run-slots.js'

/** The dependencies of the run manager. */
export interface RunManagerDependencies {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly clock: Clock
  readonly claims: RunClaims
  readonly driver: RunDriver
  /** Whether a person has answered one of the run's questions by now. */
  readonly isAnswered: (run: Run) => Promise<boolean>
  readonly policies: Pick<PolicyService, 'expectQuestions'>
  /** Default: no run has a gate. */
  readonly gates?: Omit<RunGates, 'add'>
  readonly logger: Logger
  readonly limits: RunLimits
}

/** The runs of this process. */
export interface KeptRuns extends RunManagerDependencies {
  readonly entries: Map<string, RunEntry>
  /** The open runs of each user, including reserved ones. */
  readonly open: Counts
  readonly slots: RunSlots
  /** Whether this process drives no run any more. */
  parked: boolean
}

/** A run that comes to this process. */
export type IncomingRun = Pick<Run, 'id' | 'user_id'> & { readonly parent?: Run['parent'] }

export function keptRuns(dependencies: RunManagerDependencies, slots: RunSlots): KeptRuns {
  return { ...dependencies, entries: new Map(), open: createCounts(), slots, parked: false }
}

/** Adds a run to this process. */
export function admit(kept: KeptRuns, run: IncomingRun, fresh: FreshRun | undefined): RunEntry {
  const entry = newEntry(run, fresh)
  kept.entries.set(run.id, entry)
  kept.open.add(entry.userId)
  return entry
}

/** Removes a run from this process. */
export function release(kept: KeptRuns, entry: RunEntry): void {
  void entry.stopTimer?.()
  kept.slots.withdraw(entry)
  kept.gates?.forget(entry.runId)
  if (kept.entries.delete(entry.runId)) kept.open.remove(entry.userId)
  entry.reportUnderWay()
  entry.end()
}

/** Whether this process still keeps the run. */
export const isKept = (kept: KeptRuns, entry: RunEntry): boolean => !kept.parked && kept.entries.get(entry.runId) === entry

export const controlOf = (entry: RunEntry): RunControl => ({
  signal: entry.controller.signal,
  stopCause: () => entry.stopCause,
  reportUnderWay: entry.reportUnderWay,
})
