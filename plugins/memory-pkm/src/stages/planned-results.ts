import type { PlannedResults } from './plan-changes.js'
import type { StageResults } from './stage-results.js'
import { checkpointStaleError } from './stale.js'

/** @throws `memory_checkpoint_stale` if one of them is missing. */
export function plannedResults({
  extract: extracted,
  classify: classified,
  resolve: resolved,
  reconcile: reconciled,
  ...rest
}: StageResults): PlannedResults {
  if (!extracted || !classified || !resolved || !reconciled) throw stageMissing('an earlier stage')
  return { ...rest, extract: extracted, classify: classified, resolve: resolved, reconcile: reconciled }
}

/** The result of a stage is not there. */
export const stageMissing = (stage: string) => checkpointStaleError.create({ reason: `the result of ${stage} is missing` })
