import type { EventInput, Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import type { RunStep } from '../../store/runs/run-step.js'
import { queuedRun } from '../../test-support/queued-run.js'
import { createRunWatchers } from './run-watchers.js'

const signal = new AbortController().signal
const run = queuedRun('r')
const step: RunStep = { id: 'r/0', run_id: 'r', user_id: 'u', index: 0, epoch: 1, at: '', body: { type: 'run.started' } }

describe('watchers of a run', () => {
  const begin = () => {
    const published: EventInput[] = []
    const events = { record: () => undefined, position: () => 0, publishDelta: (event: EventInput) => published.push(event) } as Events
    const watchers = createRunWatchers()
    const through = watchers.through(events)
    const delta = (offset: number, text: string, runId = 'r', name: 'text.delta' | 'tool_call.delta' = 'text.delta') =>
      through.publishDelta({ userId: 'u', name, data: { chat_id: 'c', run_id: runId, message_id: 'm', part: 0, offset, text } })
    return { watchers, published, delta }
  }

  it('get the items in order, with queued deltas joined', async () => {
    const { watchers, published, delta } = begin()
    const watch = watchers.watch('r')
    delta(0, 'Good ')
    delta(5, 'day')
    delta(0, 'elsewhere', 'another')
    delta(0, '{}', 'r', 'tool_call.delta')
    watchers.report(run, { steps: [step], events: [{ name: 'run.completed', data: {} }] })
    watch.end()
    const first = await watch.next(signal)
    expect(first !== 'ended' && first.kind === 'delta' && [first.event.name, first.event.data['text']]).to.deep.equal([
      'text.delta',
      'Good day',
    ])
    expect(await watch.next(signal)).to.deep.equal({ kind: 'commit', run, steps: [step], notes: [] })
    expect(await watch.next(signal)).to.equal('ended')
    expect(published).to.have.length(4)
  })

  it('get the facts that no step has: purposes of calls and retracted text', async () => {
    const { watchers } = begin()
    const watch = watchers.watch('r')
    const taken = { message_id: 'm', part: 0, offset: 0 }
    watchers.report(run, {
      steps: [],
      events: [
        { name: 'tool_call.started', data: { call_id: 'x', purpose: 'Look', arguments: { all: 'of it' } } },
        { name: 'message.updated', data: { message: {} } },
        { name: 'run.retrying', data: { void: taken } },
        { name: 'run.retrying', data: { attempt: 2 } },
        { name: 'run.fallback', data: { void: taken } },
        { name: 'run.fallback', data: { model: 'other' } },
      ],
    })
    const item = await watch.next(signal)
    expect(item !== 'ended' && item.kind === 'commit' && item.notes).to.deep.equal([
      { name: 'tool_call.started', data: { call_id: 'x', purpose: 'Look' } },
      { name: 'run.retrying', data: { void: taken } },
      { name: 'run.retrying', data: { attempt: 2 } },
      { name: 'run.fallback', data: { void: taken } },
    ])
  })

  it('wait for items until their signal aborts', async () => {
    const { watchers, delta } = begin()
    const watch = watchers.watch('r')
    const arriving = watch.next(signal)
    delta(0, 'Hi')
    expect(await arriving).to.include({ kind: 'delta' })
    const stop = new AbortController()
    const reason = new Error('gone')
    const waiting = watch.next(stop.signal).catch((error: unknown) => error)
    stop.abort(reason)
    expect(await waiting).to.equal(reason)
  })

  it('forbid retractions until the last of them allows them again', () => {
    const { watchers } = begin()
    const [one, other] = [watchers.forbidRetractions('c'), watchers.forbidRetractions('c')]
    expect([watchers.areRetractionsForbidden('c'), watchers.areRetractionsForbidden('d')]).to.deep.equal([true, false])
    void one()
    void one()
    expect(watchers.areRetractionsForbidden('c')).to.equal(true)
    void other()
    expect(watchers.areRetractionsForbidden('c')).to.equal(false)
  })

  it('that do not read are dropped, and use no more memory', async () => {
    const { watchers, delta } = begin()
    const watch = watchers.watch('r')
    const piece = 'x'.repeat(1_000_000)
    for (let index = 0; index < 5; index += 1) delta(index * piece.length, piece)
    const error = await watch.next(signal).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'listener_too_slow' })
  })
})
