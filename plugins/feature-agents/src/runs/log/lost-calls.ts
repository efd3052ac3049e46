import type { LostCall } from '@agent-service/sdk/services/inference'
import type { RunStep } from '../../store/runs/run-step.js'

/**
 * The model calls at the end of a log: announced, and no step says how they ended. There are several where the process went down again and again. One
 * that was stopped in order is among them; whoever keeps the usage knows its end.
 */
export function lostCallsAt(steps: readonly RunStep[]): readonly LostCall[] {
  const last = steps.findLastIndex(({ body }) => body.type !== 'model.requested')
  return steps.slice(last + 1).map(({ id, at }) => ({ id, requestedAt: Date.parse(at) }))
}
