import type { RunStepBody } from '../../store/runs/run-step.js'
import type { PendingCall } from '../log/plan-next.js'

/**
 * The text for the model about a call that the person denied or did not answer; undefined if they
 * approved or answered, or were not asked.
 */
export function refusalOf({ call_id, answer }: PendingCall, steps: readonly RunStepBody[]): string | undefined {
  if (!answer) return undefined
  const asked = steps.findLast((step) => step.type === 'approval.requested' && step.call_id === call_id)
  const isQuestion = asked?.type === 'approval.requested' && asked.kind === 'question'
  const note = answer.note === null || answer.note === '' ? '' : ` They wrote: ${answer.note}`
  switch (answer.outcome) {
    case 'approved':
    case 'answered':
      return undefined
    case 'denied':
      return isQuestion
        ? `Not run: the person did not want to answer this question.${note} Do not ask it again unless they bring it up.`
        : `Not run: the person did not allow this call.${note} Do not make it again unless they ask for it.`
    case 'expired':
      return isQuestion
        ? 'Not run: the person did not answer this question in time.'
        : 'Not run: the question about this call was not answered in time.'
    case 'withdrawn':
      return `Not run: the person wrote a message instead of answering ${isQuestion ? 'this question' : 'the question about this call'}. Read that message first.`
  }
}
