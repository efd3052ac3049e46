import type { JsonObject } from '@agent-service/sdk'

/** One line about a model that answers in place of another: of a message, or of the event `run.fallback`. */
export function fallbackLine({ reason, wanted, used, detail }: JsonObject): string {
  if (reason === 'model_group_unknown') return `(the model group “${String(wanted)}” does not exist; “${String(used)}” answers)`
  return `(${String(used)} answers in place of ${String(wanted)}: ${String(detail ?? '')})`
}
