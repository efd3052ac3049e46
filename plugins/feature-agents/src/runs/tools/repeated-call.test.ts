import { expect } from 'chai'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { maxRepeats, repetitionOf } from './repeated-call.js'

let count = 0
const call = (name: string, hash: string): Extract<RunStepBody, { type: 'tool.planned' }> => ({
  type: 'tool.planned',
  turn: count,
  message_id: 'm',
  call_id: `c${count++}`,
  name,
  arguments_hash: hash,
  part: 0,
})
const times = (number: number, make: () => RunStepBody): RunStepBody[] => Array.from({ length: number }, make)
const last = (steps: readonly RunStepBody[]): string | undefined => {
  const step = steps.at(-1)
  return step?.type === 'tool.planned' ? repetitionOf(steps, step.call_id) : undefined
}

describe('the same call again and again', () => {
  it('runs ten times in a row and is not run the eleventh time', () => {
    expect(last(times(maxRepeats, () => call('look', 'a')))).to.equal(undefined)
    expect(last(times(maxRepeats + 1, () => call('look', 'a')))).to.match(/with the same arguments 10 times in a row/)
    expect(last(times(maxRepeats + 5, () => call('look', 'a')))).to.match(/with the same arguments 14 times in a row/)
  })

  it('resets its count after another call, another tool or other arguments', () => {
    const many = times(maxRepeats + 1, () => call('look', 'a'))
    expect(last([...many, call('look', 'b')])).to.equal(undefined)
    expect(last([...many, call('see', 'a')])).to.equal(undefined)
    expect(last([...many, call('look', 'b'), ...times(maxRepeats, () => call('look', 'a'))])).to.equal(undefined)
    expect(repetitionOf(many, 'a call of another run')).to.equal(undefined)
  })
})
