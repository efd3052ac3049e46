import { expect } from 'chai'
import fc from 'fast-check'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { openToolTurn, planNext } from './plan-next.js'

const limits = { maxToolTurns: 3 }
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }

const requested = (turn: number, with_tools = true): RunStepBody => ({
  type: 'model.requested',
  turn,
  message_id: `m${turn}`,
  request_hash: 'h',
  with_tools,
})
const completed = (turn: number): RunStepBody => ({
  type: 'model.completed',
  turn,
  message_id: `m${turn}`,
  stop_reason: 'stop',
  usage,
  provider: 'p',
  model: 'm',
})
const planned = (turn: number, index: number): RunStepBody => ({
  type: 'tool.planned',
  turn,
  message_id: `m${turn}`,
  call_id: `${turn}/${index}`,
  name: 'look',
  arguments_hash: 'h',
  part: index,
})
const started = (turn: number, index: number): RunStepBody => ({ type: 'tool.started', call_id: `${turn}/${index}`, name: 'look' })
const ended = (turn: number, index: number): RunStepBody => ({
  type: 'tool.completed',
  call_id: `${turn}/${index}`,
  result: { type: 'tool_result', call_id: `${turn}/${index}`, name: 'look', content: [] },
})
const answered = (turn: number): RunStepBody => ({ type: 'tools.answered', turn, message_id: `t${turn}` })

describe('planNext', () => {
  it('starts a run with an empty log', () => {
    expect(planNext([], limits)).to.deep.equal({ kind: 'start' })
    expect(planNext([{ type: 'run.started' }], limits)).to.deep.equal({ kind: 'call-model', turn: 0, withTools: true })
    expect(planNext([{ type: 'run.started' }], { maxToolTurns: 0 })).to.deep.equal({ kind: 'call-model', turn: 0, withTools: false })
  })

  it('repeats a model call into the same message', () => {
    expect(planNext([{ type: 'run.started' }, requested(0, false)], limits)).to.deep.equal({
      kind: 'call-model',
      turn: 0,
      withTools: false,
      again: { messageId: 'm0' },
    })
  })

  it('ends after the answer, and after a failure', () => {
    expect(planNext([requested(0), completed(0)], limits)).to.deep.equal({ kind: 'finish', status: 'completed' })
    expect(planNext([requested(0), { type: 'model.failed', turn: 0, message_id: 'm0', code: 'c', message: 's' }], limits)).to.deep.equal({
      kind: 'finish',
      status: 'failed',
      code: 'c',
      message: 's',
    })
    expect(planNext([{ type: 'run.finished', status: 'cancelled', code: null }], limits)).to.deep.equal({ kind: 'done' })
  })

  it('runs the calls without a result, and marks those that had begun', () => {
    const log = [requested(0), completed(0), planned(0, 0), planned(0, 1), planned(0, 2), started(0, 0), started(0, 1), ended(0, 1)]
    const action = planNext(log, limits)
    expect(action.kind).to.equal('run-tools')
    if (action.kind !== 'run-tools') return
    expect(action.calls.map(({ call_id, state, message_id, part }) => ({ call_id, state, message_id, part }))).to.deep.equal([
      { call_id: '0/0', state: 'started', message_id: 'm0', part: 0 },
      { call_id: '0/2', state: 'planned', message_id: 'm0', part: 2 },
    ])
  })

  it('stores the results when all calls have one, then asks the model again', () => {
    const log = [requested(0), completed(0), planned(0, 0), started(0, 0), ended(0, 0)]
    expect(planNext(log, limits)).to.deep.equal({ kind: 'answer-tools', turn: 0 })
    expect(planNext([...log, answered(0)], limits)).to.deep.equal({ kind: 'call-model', turn: 1, withTools: true })
  })

  it('makes one last call without tools, and fails if it still asks for them', () => {
    expect(planNext([answered(1)], limits)).to.deep.equal({ kind: 'call-model', turn: 2, withTools: true })
    expect(planNext([answered(2)], limits)).to.deep.equal({ kind: 'call-model', turn: 3, withTools: false })
    expect(planNext([requested(3, false), completed(3), planned(3, 0)], limits)).to.include({ kind: 'finish', code: 'tool_turn_limit' })
  })

  it('goes by the offered tools, not by a limit that was lowered since', () => {
    expect(planNext([requested(2), completed(2), planned(2, 0)], { maxToolTurns: 1 }).kind).to.equal('run-tools')
  })

  it('knows the open turn only', () => {
    expect(openToolTurn([requested(0), completed(0), planned(0, 0), started(0, 0), ended(0, 0), answered(0), requested(1)])).to.equal(
      undefined,
    )
    expect(openToolTurn([requested(1), completed(1), planned(1, 0), planned(1, 1)])).to.deep.include({
      turn: 1,
      planned: 2,
      withTools: true,
    })
  })

  it('continues legally from every prefix of every log that it leads to', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }), fc.infiniteStream(fc.nat()), (callsByTurn, choices) => {
        const log: RunStepBody[] = []
        let turns = 0
        for (let guard = 0; ; guard += 1) {
          expect(guard, 'steps until the run has ended').to.be.below(200)
          const action = planNext(log, limits)
          // What is planned from a prefix does not depend on how often it was asked.
          expect(planNext([...log], limits)).to.deep.equal(action)
          if (action.kind === 'done') break
          if (action.kind === 'start') log.push({ type: 'run.started' }, requested(0))
          else if (action.kind === 'call-model') {
            expect(action.turn).to.be.at.most(limits.maxToolTurns)
            expect(action.withTools).to.equal(action.turn < limits.maxToolTurns)
            if (!action.again) log.push(requested(action.turn, action.withTools))
            else {
              expect(log.at(-1)).to.include({ type: 'model.requested', message_id: action.again.messageId })
              const calls = callsByTurn[turns++] ?? 0
              log.push(completed(action.turn), ...Array.from({ length: calls }, (_, index) => planned(action.turn, index)))
            }
          } else if (action.kind === 'run-tools') {
            expect(action.calls).to.not.be.empty
            const call = action.calls[(choices.next().value ?? 0) % action.calls.length]
            const index = call?.part ?? 0
            const results = log.filter((step) => step.type === 'tool.completed').map((step) => step.call_id)
            expect(results).to.not.include(call?.call_id)
            log.push(call?.state === 'planned' ? started(action.turn, index) : ended(action.turn, index))
          } else if (action.kind === 'answer-tools') log.push(answered(action.turn))
          else if (action.kind === 'finish') log.push({ type: 'run.finished', status: action.status, code: null })
          else expect.fail(`${action.kind} without a reason`)
        }
      }),
      { numRuns: 100 },
    )
  })
})
