import { expect } from 'chai'
import type { ApprovalOutcome, RunStepBody } from '../../store/runs/run-step.js'
import type { PendingCall } from '../log/plan-next.js'
import { refusalOf } from './refused-call.js'

const refusal = (kind: 'approval' | 'question', outcome: ApprovalOutcome, note: string | null = null): string | undefined => {
  const asked: RunStepBody = { type: 'approval.requested', call_id: 'call', kind }
  const other: RunStepBody = { type: 'approval.requested', call_id: 'other', kind: kind === 'question' ? 'approval' : 'question' }
  const pending: PendingCall = {
    ...{ call_id: 'call', name: 'a_tool', arguments_hash: '', part: 0, message_id: 'message' },
    state: 'asked',
    answer: { outcome, note },
  }
  return refusalOf(pending, [other, asked, other])
}

describe('what a model reads of a call that a person turned down', () => {
  it('speaks of the call where they were asked whether it may run', () => {
    expect(refusal('approval', 'denied', 'Not today.')).to.equal(
      'Not run: the person did not allow this call. They wrote: Not today. Do not make it again unless they ask for it.',
    )
    expect(refusal('approval', 'expired')).to.equal('Not run: the question about this call was not answered in time.')
    expect(refusal('approval', 'withdrawn')).to.match(
      /^Not run: the person wrote a message instead of answering the question about this call/,
    )
  })

  it('speaks of the question where they were asked one', () => {
    expect(refusal('question', 'denied', 'That is private.')).to.equal(
      'Not run: the person did not want to answer this question. They wrote: That is private. Do not ask it again unless they bring it up.',
    )
    expect(refusal('question', 'denied', '')).to.not.include('They wrote')
    expect(refusal('question', 'expired')).to.equal('Not run: the person did not answer this question in time.')
    expect(refusal('question', 'withdrawn')).to.match(/^Not run: the person wrote a message instead of answering this question\./)
  })

  it('is undefined if they approved it or answered', () => {
    expect(refusal('approval', 'approved')).to.equal(undefined)
    expect(refusal('question', 'answered', 'Yes')).to.equal(undefined)
  })
})
