import { expect } from 'chai'
import type { ModelEvent } from '../../contracts/provider-adapter/index.js'
import { createAnswerSeparator, type InlineReasoning } from './separate-answer.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Finished = Extract<ModelEvent, { type: 'response.finished' }>

const started: ModelEvent = { type: 'response.started' }
const text = (part: number, words: string): ModelEvent => ({ type: 'text.delta', part, text: words })
const call = (part: number): ModelEvent => ({ type: 'tool_call.started', part, provider_call_id: 'c', name: 'look' })
const callPart = { type: 'tool_call', call_id: 'c', name: 'look', arguments: {} } as const
const finished = (content: Finished['content'], more: Partial<Finished> = {}): Finished => ({
  ...{ type: 'response.finished', content, stop_reason: 'stop', usage },
  ...more,
})

/** What an answer becomes, and a check that its deltas lead to its content. */
function separate(events: readonly ModelEvent[], reasoning: InlineReasoning = 'opened', json = false) {
  const separator = createAnswerSeparator({ reasoning, json })
  const out = events.flatMap((event) => separator.take(event))
  const last = out.at(-1)
  if (last?.type !== 'response.finished') return expect.fail('It did not finish.')
  return { out, last }
}

function shownIn(out: readonly ModelEvent[]): ReadonlyMap<number, string> {
  const shown = new Map<number, string>()
  for (const event of out)
    if (event.type === 'text.delta' || event.type === 'reasoning.delta')
      shown.set(event.part, `${shown.get(event.part) ?? event.type.split('.')[0]}${shown.has(event.part) ? '' : ':'}${event.text}`)
  return shown
}

function expectShown({ out, last }: ReturnType<typeof separate>): void {
  const shown = shownIn(out)
  for (const [index, part] of last.content.entries())
    if (part.type === 'text' || part.type === 'reasoning') expect(shown.get(index) ?? `${part.type}:`).to.equal(`${part.type}:${part.text}`)
}

describe('the separator of an answer', () => {
  it('leaves an answer without reasoning and pictures as it is', () => {
    const end = finished([
      { type: 'reasoning', text: 'Hm', opaque: { vendor: 'v', data: 1 } },
      { type: 'text', text: 'Yes!', opaque: { vendor: 'v', data: 2 } },
      callPart,
    ])
    const events = [started, { type: 'reasoning.delta', part: 0, text: 'Hm' } as const, text(1, 'Yes!'), call(2), end]
    const separated = separate(events)
    expect(separated.last).to.equal(end)
    expectShown(separated)
    expect(separated.out.find(({ type }) => type === 'tool_call.started')).to.include({ part: 2 })
  })

  it('makes reasoning a part of its own, and numbers the parts after it anew', () => {
    const whole = '<think>\nRome.</think>\n\nThree days'
    const separated = separate([
      started,
      text(0, '<thi'),
      text(0, 'nk>\nRome.</think>'),
      text(0, '\n\nThree days'),
      call(1),
      finished([{ type: 'text', text: whole }, callPart]),
    ])
    expect(separated.last.content).to.deep.equal([{ type: 'reasoning', text: 'Rome.' }, { type: 'text', text: 'Three days' }, callPart])
    expect(separated.out.find(({ type }) => type === 'tool_call.started')).to.include({ part: 2 })
    expectShown(separated)
  })

  it('reads a text that came in one piece, with parts that had no events before it', () => {
    const hidden = { type: 'reasoning', text: '', opaque: { vendor: 'v', data: 1 } } as const
    const separated = separate([started, finished([hidden, { type: 'text', text: '<think>a</think>b' }])])
    expect(separated.last.content).to.deep.equal([hidden, { type: 'reasoning', text: 'a' }, { type: 'text', text: 'b' }])
    expectShown(separated)
  })

  it('shows reasoning before each call where it was', () => {
    const whole = '<think>a</think>Looking<think>b</think>Done'
    const separated = separate([
      ...[started, text(0, '<think>a</think>Looking'), call(1), text(0, '<think>b</think>Done')],
      finished([{ type: 'text', text: whole }, callPart]),
    ])
    expect(separated.last.content).to.deep.equal([
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'Looking' },
      callPart,
      { type: 'reasoning', text: 'b' },
      { type: 'text', text: 'Done' },
    ])
    expectShown(separated)
  })

  it('keeps a text before its call where reasoning was expected and none came', () => {
    const words = 'Let me look.'
    const { out, last } = separate([started, text(0, words), call(1), finished([{ type: 'text', text: words }, callPart])], 'expected')
    expect(last.content).to.deep.equal([{ type: 'reasoning', text: '' }, { type: 'text', text: words }, callPart])
    expect(out.map((event) => ('part' in event ? `${event.type} ${event.part}` : event.type))).to.deep.equal([
      'response.started',
      'reasoning.delta 0',
      'text.delta 1',
      'tool_call.started 2',
      'response.finished',
    ])
  })

  it('takes the beginning for reasoning only where it is expected and no other reasoning came', () => {
    const words = 'Rome.\n</think>\n\nThree days'
    const end = finished([{ type: 'text', text: words }])
    expect(separate([started, text(0, words), end]).last).to.equal(end)
    const expected = separate([started, text(0, words), end], 'expected')
    expect(expected.last.content).to.deep.equal([
      { type: 'reasoning', text: 'Rome.\n' },
      { type: 'text', text: 'Three days' },
    ])
    const apart = finished([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Yes' },
    ])
    const parsed = separate([started, { type: 'reasoning.delta', part: 0, text: 'Hm' }, text(1, 'Yes'), apart], 'expected')
    expect(parsed.last).to.equal(apart)
    expect(parsed.out[2]).to.deep.equal(text(1, 'Yes'))
  })

  it('gives the text back that was taken for reasoning and was the answer', () => {
    const end = [started, text(0, 'Yes'), finished([{ type: 'text', text: 'Yes' }])]
    const { out, last } = separate(end, 'expected')
    expect(last.content).to.deep.equal([
      { type: 'reasoning', text: '' },
      { type: 'text', text: 'Yes' },
    ])
    expect(out).to.deep.include(text(1, 'Yes'))
    const cut = separate([started, text(0, 'Let me'), finished([{ type: 'text', text: 'Let me' }], { stop_reason: 'length' })], 'expected')
    expect(cut.last.content).to.deep.equal([{ type: 'reasoning', text: 'Let me' }])
  })

  it('reads no reasoning where it must not', () => {
    const end = finished([{ type: 'text', text: '<think>a</think>b' }])
    expect(separate([started, text(0, '<think>a</think>b'), end], 'never').last).to.equal(end)
  })

  it('makes a picture in the text a part', () => {
    const words = `Here: ![dot](data:image/png;base64,${png}) It is red.`
    const separated = separate(
      [started, text(0, words.slice(0, 30)), text(0, words.slice(30)), finished([{ type: 'text', text: words }])],
      'never',
    )
    expect(separated.last.content).to.deep.equal([
      { type: 'text', text: 'Here: ' },
      { type: 'image', media_type: 'image/png', data: png },
      { type: 'text', text: ' It is red.' },
    ])
    expectShown(separated)
  })

  it('changes nothing of an answer that is to be JSON, but for reasoning before it', () => {
    const words = JSON.stringify({ text: `![dot](data:image/png;base64,${png})`, tag: '</think>' })
    const end = finished([{ type: 'text', text: words }])
    for (const reasoning of ['never', 'opened', 'expected'] as const) {
      const { out, last } = separate([started, text(0, words), end], reasoning, true)
      expect(last).to.equal(end)
      expect(out).to.deep.include(text(0, words))
    }
    const thought = separate([started, finished([{ type: 'text', text: `Hm.</think>${words}` }])], 'expected', true)
    expect(thought.last.content).to.deep.equal([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: words },
    ])
  })

  it('puts a sentence in the place of a picture that is none', () => {
    const separated = separate([started, finished([{ type: 'image', media_type: 'image/png', data: 'PGI+' }])])
    expect(separated.last.content).to.have.length(1)
    expect(separated.last.content[0]).to.include({ type: 'text' })
    expectShown(separated)
  })

  it('takes as many pictures as there are', () => {
    const words = `![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)a`.repeat(150_000)
    expect(separate([started, finished([{ type: 'text', text: words }])]).last.content).to.have.length(300_000)
  })

  it('makes a link of a picture at an address', () => {
    const at = (url: string) => separate([started, finished([{ type: 'image', media_type: 'image/*', url }])])
    const linked = at('https://example.org/a(1).png')
    expect(linked.last.content).to.deep.equal([{ type: 'text', text: '\n\n[Picture](https://example.org/a%281%29.png)\n\n' }])
    expectShown(linked)
    expect(at('javascript:alert(1)').last.content[0]).to.deep.include({
      type: 'text',
      text: '(The model made a picture that cannot be shown: its address cannot be opened.)',
    })
  })

  it('keeps the tokens of the text, and those of no reasoning', () => {
    const token = (word: string) => ({ token: word, logprob: -1, top: [] })
    const delta = (part: number, words: string): ModelEvent => ({ type: 'text.delta', part, text: words, logprobs: [token(words)] })
    const tokens = ['<think>', 'a', '</think>', 'Yes', '.'].map(token)
    const separated = separate([
      ...[started, delta(0, '<think>'), delta(0, 'a'), delta(0, '</think>'), delta(0, 'Yes'), delta(0, '.')],
      finished([{ type: 'text', text: '<think>a</think>Yes.' }], { logprobs: [{ part: 0, tokens }] }),
    ])
    const kept = separated.last.logprobs?.flatMap((entry) => entry.tokens.map((each) => `${entry.part} ${each.token}`))
    expect(kept).to.deep.equal(['1 Yes', '1 .'])
    const plain = finished([{ type: 'text', text: 'Yes' }], { logprobs: [{ part: 0, tokens: [token('Yes')] }] })
    expect(separate([started, delta(0, 'Yes'), plain]).out).to.deep.equal([started, delta(0, 'Yes'), plain])
  })
})
