import { expect } from 'chai'
import type { RunStep, RunStepBody } from '../../store/runs/run-step.js'
import { lostCallsAt } from './plan-next.js'

const requested: RunStepBody = { type: 'model.requested', turn: 1, message_id: 'm', request_hash: '', with_tools: true }
const overflowed: RunStepBody = { type: 'model.overflowed', turn: 1, message_id: 'm' }
const kept: RunStepBody = { type: 'context.kept', turn: 1, reason: 'overflow', code: 'older_left_out' }

const idsAt = (...bodies: readonly RunStepBody[]) =>
  lostCallsAt(
    bodies.map((body, index): RunStep => {
      const at = new Date(Date.UTC(2026, 0, 1) + index).toISOString()
      return { id: `run/${index}`, run_id: 'run', user_id: 'u', index, epoch: 1, at, body }
    }),
  )

describe('the calls at the end of a log', () => {
  it('are the consecutive announced calls, with their times', () => {
    expect(idsAt({ type: 'run.started' }, requested, requested)).to.deep.equal([
      { id: 'run/1', requestedAt: Date.UTC(2026, 0, 1) + 1 },
      { id: 'run/2', requestedAt: Date.UTC(2026, 0, 1) + 2 },
    ])
  })

  it('are none if the end of the last one is recorded, and exclude the one that the vendor refused', () => {
    expect(idsAt()).to.deep.equal([])
    expect(idsAt({ type: 'run.started' }, requested, overflowed)).to.deep.equal([])
    expect(idsAt({ type: 'run.started' }, requested, overflowed, kept, requested).map(({ id }) => id)).to.deep.equal(['run/4'])
  })
})
