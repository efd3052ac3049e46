import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { createRecordedEvents, textFrom } from '../../test-support/recorded-events.js'
import { createDeltaThrottle } from './delta-throttle.js'
import { createLiveMessage } from './live-message.js'

const begin = () => {
  const clock = createControlledClock()
  const events = createRecordedEvents()
  const throttle = createDeltaThrottle(clock)
  const live = createLiveMessage({
    ids: { messageId: 'm', chatId: 'c', runId: 'r', userId: 'u' },
    events,
    throttle,
    callId: (part) => `call-${part}`,
  })
  const texts = (): readonly unknown[] => events.deltas.map(({ data }) => data['text'])
  return { clock, events, throttle, live, texts }
}

describe('a message while it grows', () => {
  it('publishes the first text at once and the next 16 ms later, joined', async () => {
    const { clock, live, texts } = begin()
    live.append('text', 0, 'a')
    expect(texts()).to.deep.equal(['a'])
    live.append('text', 0, 'b')
    live.append('text', 0, 'c')
    await clock.advance(15)
    expect(texts()).to.deep.equal(['a'])
    await clock.advance(1)
    expect(texts()).to.deep.equal(['a', 'bc'])
    expect(clock.pending(), 'no timer without text').to.equal(0)
  })

  it('gives each delta its chat, run, message, part and offset', async () => {
    const { clock, live, events } = begin()
    live.append('reasoning', 0, 'why')
    live.append('text', 1, 'ab')
    await clock.advance(16)
    live.append('text', 1, 'cd')
    await clock.advance(16)
    expect(events.deltas.map(({ name, data }) => [name, data['part'], data['offset'], data['text']])).to.deep.equal([
      ['reasoning.delta', 0, 0, 'why'],
      ['text.delta', 1, 0, 'ab'],
      ['text.delta', 1, 2, 'cd'],
    ])
    expect(events.deltas[0]?.data).to.include({ chat_id: 'c', run_id: 'r', message_id: 'm' })
  })

  it('lets several parts take turns, one event in 16 ms', async () => {
    const { clock, live, events } = begin()
    for (let moment = 0; moment < 20; moment += 1) {
      live.append('text', 0, 'x')
      live.append('text', 1, 'y')
      await clock.advance(8)
    }
    expect(events.deltas.length).to.be.at.most(1 + (20 * 8) / 16)
    const published = textFrom(events.deltas)
    expect(published.get(0)?.length).to.be.above(10)
    expect(published.get(1)?.length, 'a busy part does not starve another').to.be.above(10)
  })

  it('holds back half a character until the other half has come', async () => {
    const { clock, live, texts } = begin()
    live.append('text', 0, 'a\ud83d')
    expect(texts()).to.deep.equal(['a'])
    expect(live.content()).to.deep.equal([{ type: 'text', text: 'a' }])
    await clock.advance(50)
    expect(texts()).to.deep.equal(['a'])
    live.append('text', 0, '\ude00')
    await clock.advance(16)
    expect(texts()).to.deep.equal(['a', '😀'])
  })

  it('publishes the rest when it closes and nothing after', async () => {
    const { clock, live, texts } = begin()
    live.append('text', 0, 'a')
    live.append('text', 0, 'b\ud83d')
    live.close()
    live.append('text', 0, 'late')
    await clock.advance(100)
    expect(texts()).to.deep.equal(['a', 'b\ufffd'])
    expect(live.content()).to.deep.equal([{ type: 'text', text: 'ab\ufffd' }])
  })

  it('shows every part at its index, calls with their arguments so far', () => {
    const { live } = begin()
    live.append('reasoning', 0, 'hm')
    live.startCall(2, 'look')
    live.appendArguments(2, '{"a":')
    live.append('text', 3, 'done')
    expect(live.view()).to.deep.equal([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: '' },
      { type: 'tool_call', call_id: 'call-2', name: 'look', arguments: {}, arguments_text: '{"a":' },
      { type: 'text', text: 'done' },
    ])
    expect(live.content()).to.deep.equal([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'done' },
    ])
  })

  it('names the call of its argument deltas', () => {
    const { live, events } = begin()
    live.startCall(0, 'look')
    live.appendArguments(0, '{}')
    expect(events.deltas[0]).to.deep.include({ name: 'tool_call.delta' })
    expect(events.deltas[0]?.data).to.include({ call_id: 'call-0', name: 'look', offset: 0, text: '{}' })
  })

  it('begins again from nothing after a reset', async () => {
    const { clock, live, events } = begin()
    live.append('text', 0, 'old')
    live.append('text', 0, ' unpublished')
    live.reset()
    await clock.advance(100)
    live.append('text', 0, 'new')
    await clock.advance(16)
    expect(live.content()).to.deep.equal([{ type: 'text', text: 'new' }])
    expect(live.length()).to.equal(3)
    expect(events.deltas.map(({ data }) => [data['offset'], data['text']])).to.deep.equal([
      [0, 'old'],
      [0, 'new'],
    ])
  })

  it('adds up to the text whatever the pieces and the pauses', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 30 }), async (whole, steps) => {
        const { clock, live, events } = begin()
        let at = 0
        for (const step of steps) {
          live.append('text', 0, whole.slice(at, at + (step % 4)))
          at += step % 4
          await clock.advance(step)
        }
        live.append('text', 0, whole.slice(at))
        live.close()
        expect(textFrom(events.deltas).get(0) ?? '').to.equal(whole)
        expect(live.content()).to.deep.equal(whole === '' ? [] : [{ type: 'text', text: whole }])
      }),
      { numRuns: 40 },
    )
  })
})
