import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { temporalPart } from '../prompts/temporal-part.js'
import type { Message } from '../store/chats/message.js'
import { estimateTokens } from './estimate-tokens.js'
import { keepWithin, toModelMessages as toModelMessagesIn } from './history.js'

let sequence = 0
const message = (role: Message['role'], content: Message['content'], status: Message['status'] = 'complete'): Message => ({
  id: `m${sequence}`,
  chat_id: 'c',
  branch_id: 'c',
  user_id: 'u',
  run_id: 'r',
  role,
  status,
  content,
  sequence: sequence++,
  created_at: '2026-01-01T00:00:00.000Z',
})
const toModelMessages = (messages: readonly Message[]) => toModelMessagesIn(messages, { timezone: 'Europe/Vienna', workspace: 'assistant' })
const time = temporalPart('2026-01-01T00:00:00.000Z', 'Europe/Vienna')
const text = (value: string) => ({ type: 'text' as const, text: value })
const call = (id: string) => ({ type: 'tool_call' as const, call_id: id, provider_call_id: `v-${id}`, name: 'look', arguments: {} })
const result = (id: string) => ({ type: 'tool_result' as const, call_id: id, name: 'look', content: [text('seen')] })

describe('what a model is shown of a chat', () => {
  it('leaves out open messages and empty failed ones', () => {
    const shown = toModelMessages([
      message('user', [text('hi')]),
      message('assistant', [], 'failed'),
      message('assistant', [text('…')], 'open'),
    ])
    expect(shown).to.deep.equal([{ role: 'user', content: [text('hi'), time] }])
  })

  it('leaves out answers that say nothing', () => {
    const nothing = [
      [{ type: 'reasoning' as const, text: 'hm' }],
      [text(' \n')],
      [text('\u200b'), { type: 'reasoning' as const, text: 'hm' }],
    ]
    for (const content of nothing)
      for (const status of ['complete', 'partial'] as const)
        expect(toModelMessages([message('assistant', content, status)])).to.deep.equal([])
  })

  it('keeps the text of an answer that broke off, without reasoning and calls', () => {
    const shown = toModelMessages([message('assistant', [{ type: 'reasoning', text: 'hm' }, text('half'), call('a')], 'partial')])
    expect(shown).to.deep.equal([{ role: 'assistant', content: [text('half')] }])
  })

  it('gives every call exactly one result, and marks missing ones', () => {
    const shown = toModelMessages([
      message('assistant', [call('a'), call('b')]),
      message('tool', [result('a'), result('orphan')]),
      message('assistant', [call('c')]),
      message('user', [text('go on')]),
    ])
    expect(shown.map(({ role }) => role)).to.deep.equal(['assistant', 'tool', 'assistant', 'tool', 'user'])
    const results = shown.flatMap((entry) => (entry.role === 'tool' ? entry.content : []))
    expect(results.map(({ call_id, outcome, provider_call_id }) => [call_id, outcome, provider_call_id])).to.deep.equal([
      ['a', undefined, undefined],
      ['b', 'unknown', 'v-b'],
      ['c', 'unknown', 'v-c'],
    ])
  })

  it('drops a tool message that answers nothing', () => {
    expect(toModelMessages([message('user', [text('hi')]), message('tool', [result('a')])])).to.have.length(1)
  })

  it('drops whole turns from the front and never the newest', () => {
    const long = 'x'.repeat(400)
    const turn = (name: string): ModelMessage[] => [
      { role: 'user', content: [text(name)] },
      { role: 'assistant', content: [text(long)] },
    ]
    const messages = [...turn('one'), ...turn('two'), ...turn('three')]
    const sizeOfTurn = estimateTokens([text('three')]) + estimateTokens([text(long)])
    expect(keepWithin(messages, 10_000)).to.equal(messages)
    expect(keepWithin(messages, sizeOfTurn * 2)[0]).to.deep.equal({ role: 'user', content: [text('two')] })
    expect(keepWithin(messages, 0)).to.deep.equal(turn('three'))
  })

  it('keeps the beginning of a run, even if the person has written to it', () => {
    const user = (value: string): ModelMessage => ({ role: 'user', content: [text(value)] })
    const answer: ModelMessage = { role: 'assistant', content: [text('Well.')] }
    const step: ModelMessage[] = [
      { role: 'assistant', content: [call('a')] },
      { role: 'tool', content: [result('a')] },
    ]
    const behindResults = [user('The task.'), ...step, user('A note.'), user('Another note.'), ...step]
    expect(keepWithin([user('Before.'), answer, ...behindResults], 0)).to.deep.equal(behindResults)
    const beforeTheFirst = [user('The task.'), user('And this.'), ...step]
    expect(keepWithin([user('Before.'), answer, ...beforeTheFirst], 0)).to.deep.equal(beforeTheFirst)
  })
})
