import { expect } from 'chai'
import type { RunStep, RunStepBody } from '../store/runs/run-step.js'
import { callsOf } from './run-calls.js'

const stepsOf = (...bodies: readonly RunStepBody[]): readonly RunStep[] =>
  bodies.map((body, index) => ({ id: `r/${index}`, run_id: 'r', user_id: 'u', index, epoch: 1, at: `at ${index}`, body }))

const planned = (call_id: string, part: number): RunStepBody => ({
  ...{ type: 'tool.planned', turn: 0, message_id: 'm', call_id, name: 'shell', arguments_hash: 'h', part },
})
const completed = (call_id: string): RunStepBody => ({
  type: 'tool.completed',
  call_id,
  result: { type: 'tool_result', call_id, name: 'shell', content: [{ type: 'text', text: `of ${call_id}` }] },
})
const started = (call_id: string): RunStepBody => ({ type: 'tool.started', call_id, name: 'shell' })

describe('the calls of a run', () => {
  it('have their times, the results that no message has yet, and the output of those in progress', () => {
    const steps = stepsOf(planned('a', 0), planned('b', 1), started('a'), started('b'), completed('a'))
    const calls = callsOf(steps, (callId) => ({ offset: 4, text: `output of ${callId}` }))
    const place = { message_id: 'm', name: 'shell', is_error: false }
    expect(calls).to.deep.equal([
      { ...place, call_id: 'a', part: 0, started_at: 'at 2', finished_at: 'at 4', content: [{ type: 'text', text: 'of a' }] },
      { ...place, call_id: 'b', part: 1, started_at: 'at 3', finished_at: null, output: { offset: 4, text: 'output of b' } },
    ])
  })

  it('have no result once the message of the turn has it', () => {
    const answered: RunStepBody = { type: 'tools.answered', turn: 0, message_id: 'results' }
    const [call] = callsOf(stepsOf(planned('a', 0), started('a'), completed('a'), answered), () => undefined)
    expect(call).to.deep.equal({
      ...{ call_id: 'a', message_id: 'm', part: 0, name: 'shell', is_error: false, started_at: 'at 1', finished_at: 'at 2' },
    })
  })
})
