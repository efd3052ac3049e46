import type { RunGate, WaitingRun } from '@agent-service/sdk/services/runs'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createRunGates, type GatedRun, type RunGates } from './run-gates.js'

const run: GatedRun = { id: 'run', user_id: 'ada', reports_to: { kind: 'tasks.task', id: 'one' } }
const free: GatedRun = { id: 'free', user_id: 'ada', reports_to: null }
const { signal } = new AbortController()

describe('the gates of runs', () => {
  let start: () => void
  let gates: RunGates
  let calls: string[]

  beforeEach(() => {
    calls = []
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    gates = createRunGates({ started, logger: createTestContext({ config: {} }).context.log })
  })

  const gate = (goingOn: () => Promise<void> = async () => undefined): RunGate => ({
    async waiting({ runId, reportsTo }: WaitingRun) {
      calls.push(`waiting ${runId} ${reportsTo.id}`)
    },
    async goingOn({ runId }) {
      calls.push(`going on ${runId}`)
      await goingOn()
    },
  })

  it('learn that a run waits before they are asked whether it may go on', async () => {
    let note = (): void => undefined
    gates.add('tasks.task', {
      ...gate(),
      waiting: () =>
        new Promise((resolve) => {
          note = () => {
            calls.push('noted')
            resolve()
          }
        }),
    })
    gates.rests(run)
    const passed = gates.pass(run, signal)
    expect(calls).to.deep.equal([])
    note()
    await passed
    expect(calls).to.deep.equal(['noted', 'going on run'])
  })

  it('hold back what reports to something until all plugins have started, and nothing else', async () => {
    expect(gates.guards(run)).to.equal(true)
    expect(gates.guards(free)).to.equal(false)
    gates.rests(run)
    const passed = gates.pass(run, signal)
    gates.add('tasks.task', gate())
    await passed
    expect(calls, 'a gate that is added later learns of it').to.deep.equal(['waiting run one', 'going on run'])
    start()
    await Promise.resolve()
    expect(gates.guards({ ...run, reports_to: { kind: 'other', id: 'x' } })).to.equal(false)
  })

  it('let runs go on without a gate once all plugins have started, or when theirs is removed', async () => {
    const passed = gates.pass(run, signal)
    start()
    await passed
    const remove = gates.add('tasks.task', gate())
    expect(gates.guards(run)).to.equal(true)
    await remove()
    expect(gates.guards(run)).to.equal(false)
    expect(calls).to.deep.equal([])
  })

  it('pass on a refusal, and end a wait that is given up', async () => {
    gates.add(
      'tasks.task',
      gate(() => Promise.reject(new Error('No place.'))),
    )
    const refused = await gates.pass(run, signal).catch((error: Error) => error.message)
    expect(refused).to.equal('No place.')
    const controller = new AbortController()
    const given = gates.pass({ ...run, reports_to: { kind: 'other', id: 'x' } }, controller.signal).catch((error: Error) => error.message)
    controller.abort(new Error('It was cancelled.'))
    expect(await given).to.equal('It was cancelled.')
  })
})
