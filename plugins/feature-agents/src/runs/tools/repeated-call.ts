import type { RunStepBody } from '../../store/runs/run-step.js'

/** How often the very same call may follow itself in a run. */
export const maxRepeats = 10

/**
 * What the model reads instead of a result when it makes the same call with the same arguments again and again; undefined: the call is not such a one.
 * Another call in between begins the count anew.
 */
export function repetitionOf(steps: readonly RunStepBody[], callId: string): string | undefined {
  const planned = steps.filter((step) => step.type === 'tool.planned')
  const at = planned.findIndex((step) => step.call_id === callId)
  const call = planned[at]
  if (!call) return undefined
  let repeats = 0
  for (let before = at - 1; before >= 0; before -= 1) {
    const other = planned[before]
    if (other?.name !== call.name || other.arguments_hash !== call.arguments_hash) break
    repeats += 1
  }
  return repeats < maxRepeats
    ? undefined
    : `Not run: this very call, with the same arguments, was made ${repeats} times in a row. Its result will not change. Do something else, or answer with what you have.`
}
