import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { createScriptedAdapter, groupOf } from '../test-support/fakes.js'
import { infer, startPlugin, workConnection } from '../test-support/start-plugin.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const text = (piece: string, part = 0): ModelEvent => ({ type: 'text.delta', part, text: piece })
const finished = (whole: string): ModelEvent => ({
  ...({ type: 'response.finished', content: [{ type: 'text', text: whole }], stop_reason: 'stop' } as const),
  usage,
})

const eventsOf = async (...script: readonly ModelEvent[]) => {
  const adapter = createScriptedAdapter([script])
  const { inference } = await startPlugin({ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] })
  const { events, error } = await infer(inference)
  expect(error).to.equal(undefined)
  return events.filter(({ type }) => type.includes('.delta') || type === 'response.finished')
}
const piecesOf = (events: Awaited<ReturnType<typeof eventsOf>>) => events.flatMap((event) => ('text' in event ? [event.text] : []))
const wholeOf = (events: Awaited<ReturnType<typeof eventsOf>>) =>
  events.flatMap((event) => (event.type === 'response.finished' ? event.content : []))

describe('the characters of an answer', () => {
  it('are whole in each piece, wherever a vendor cuts its stream', async () => {
    const cut = await eventsOf(text('A \ud83d'), text('\ude00 B'), finished('A 😀 B'))
    expect(piecesOf(cut)).to.deep.equal(['A ', '😀 B'])
    const alone = await eventsOf(text('A '), text('\ud83d'), text('\ude00'), text('\ud83d'), text('\ude01'), finished('A 😀😁'))
    expect(piecesOf(alone)).to.deep.equal(['A ', '😀', '😁'])
  })

  it('are whole in reasoning and in arguments of calls', async () => {
    const call = { type: 'tool_call', call_id: 'c', name: 'look', arguments: { a: '😀' } } as const
    const events = await eventsOf(
      { type: 'reasoning.delta', part: 0, text: 'R \ud83d' },
      { type: 'reasoning.delta', part: 0, text: '\ude00' },
      { type: 'tool_call.started', part: 1, provider_call_id: 'c', name: 'look' },
      { type: 'tool_call.delta', part: 1, arguments_text: '{"a":"\ud83d' },
      { type: 'tool_call.delta', part: 1, arguments_text: '\ude00"}' },
      { type: 'response.finished', content: [{ type: 'reasoning', text: 'R 😀' }, call], stop_reason: 'tool_calls', usage },
    )
    expect(piecesOf(events)).to.deep.equal(['R ', '😀'])
    expect(events.flatMap((event) => (event.type === 'tool_call.delta' ? [event.arguments_text] : []))).to.deep.equal(['{"a":"', '😀"}'])
  })

  it('are U+FFFD where the other half never comes, in the pieces and in the whole', async () => {
    for (const pieces of [['cut \ud83d'], ['cut ', '\ud83d'], ['cut \ude00']]) {
      const events = await eventsOf(...pieces.map((piece) => text(piece)), finished(pieces.join('')))
      expect(piecesOf(events).join('')).to.equal('cut \ufffd')
      expect(wholeOf(events)).to.deep.equal([{ type: 'text', text: 'cut \ufffd' }])
    }
    expect(piecesOf(await eventsOf(text('\ud83d'), text('x'), finished('\ud83dx'))).join('')).to.equal('\ufffdx')
  })

  it('keep their log probabilities', async () => {
    const token = (piece: string) => ({ token: piece, logprob: -1, top: [] })
    const script = [
      { type: 'text.delta', part: 0, text: '\ud83d', logprobs: [token('1')] },
      { type: 'text.delta', part: 0, text: '\ude00', logprobs: [token('2')] },
    ] as unknown as readonly ModelEvent[]
    const events = await eventsOf(...script, finished('😀'))
    expect(events[0]).to.include({ type: 'text.delta', text: '😀' })
    expect(events[0]).to.have.property('logprobs').with.length(2)
  })
})
