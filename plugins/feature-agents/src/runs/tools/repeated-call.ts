import type { RunStepBody } from '../../store/runs/run-step.js'

/** How often a call may be repeated with the same arguments in a row. */
export const maxRepeats = 10

/**
 * The text for the model instead of a result when it repeats a call with the same arguments too
 * often; undefined: the call may run. Any other call in between resets the count.
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
    : `Not run: this call was made with the same arguments ${repeats} times in a row. Its result will not change. Try something else, or answer with what you have.`
}
