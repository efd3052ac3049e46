import type { EventInput, Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { createRunWatchers } from './run-watchers.js'

const signal = new AbortController().signal
const run = { id: 'r', chat_id: 'c' }

describe('those who watch a run', () => {
  const begin = () => {
    const published: EventInput[] = []
    const events = { record: () => undefined, position: () => 0, publishDelta: (event: EventInput) => published.push(event) } as Events
    const watchers = createRunWatchers()
    const through = watchers.through(events)
    const delta = (offset: number, text: string, chat = 'c', name: 'text.delta' | 'tool_call.delta' = 'text.delta') =>
      through.publishDelta({ userId: 'u', name, data: { chat_id: chat, run_id: 'r', message_id: 'm', part: 0, offset, text } })
    return { watchers, published, delta }
  }

  it('are told what comes, in order, deltas that wait as one', async () => {
    const { watchers, published, delta } = begin()
    const watch = watchers.watch('c')
    delta(0, 'Good ')
    delta(5, 'day')
    delta(0, 'elsewhere', 'd')
    delta(0, '{}', 'c', 'tool_call.delta')
    watchers.tell(run, [{ name: 'run.completed', data: {} }])
    watch.end()
    const first = await watch.next(signal)
    expect(first !== 'ended' && [first.name, first.data['text'], first.runId]).to.deep.equal(['text.delta', 'Good day', 'r'])
    expect(await watch.next(signal)).to.include({ name: 'run.completed' })
    expect(await watch.next(signal)).to.equal('ended')
    expect(published).to.have.length(4)
  })

  it('wait for what comes, no longer than their signal', async () => {
    const { watchers, delta } = begin()
    const watch = watchers.watch('c')
    const arriving = watch.next(signal)
    delta(0, 'Hi')
    expect(await arriving).to.include({ name: 'text.delta' })
    const stop = new AbortController()
    const reason = new Error('gone')
    const waiting = watch.next(stop.signal).catch((error: unknown) => error)
    stop.abort(reason)
    expect(await waiting).to.equal(reason)
  })

  it('who cannot take text back are known as long as they watch', () => {
    const { watchers } = begin()
    const [patient, strict] = [watchers.watch('c'), watchers.watch('c', { restarts: 'never' })]
    expect([watchers.showForGood('c'), watchers.showForGood('d')]).to.deep.equal([true, false])
    strict.close()
    expect(watchers.showForGood('c')).to.equal(false)
    patient.close()
  })

  it('who do not read are given up, and hold no more', async () => {
    const { watchers, delta } = begin()
    const watch = watchers.watch('c')
    const piece = 'x'.repeat(1_000_000)
    for (let index = 0; index < 5; index += 1) delta(index * piece.length, piece)
    const error = await watch.next(signal).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'listener_too_slow' })
  })
})
