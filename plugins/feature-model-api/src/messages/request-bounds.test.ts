import { validate } from '@agent-service/sdk'
import { expect } from 'chai'
import { chatRequestSchema } from '../chat-completions/chat-request.js'
import { readChatMessages } from '../chat-completions/read-chat-messages.js'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { readInput } from '../responses/read-input.js'
import { responsesRequestSchema } from '../responses/responses-request.js'

const many = <Value>(count: number, value: Value): Value[] => new Array<Value>(count).fill(value)
const ignored = createIgnoredFields()
const text = { type: 'text', text: 'x' }

describe('a request of many parts', () => {
  it('has at most 10,000 messages, 1,000 tools and 16 stop texts', () => {
    const chat = { model: 'm', messages: many(10_001, {}), tools: many(1_001, {}), stop: many(17, 'x') }
    expect(validate(chatRequestSchema, chat).map(({ path }) => path)).to.have.members(['/messages', '/tools', '/stop'])
    expect(validate(chatRequestSchema, { model: 'm', messages: many(10_000, {}) })).to.deep.equal([])
    expect(validate(responsesRequestSchema, { model: 'm', input: many(10_001, {}) }).map(({ path }) => path)).to.deep.equal(['/input'])
  })

  it('has at most 50,000 parts in total', () => {
    const message = { role: 'user', content: many(1_000, text) }
    expect(readChatMessages(many(50, message), ignored)).to.have.length(50)
    expect(() => readChatMessages(many(51, message), ignored)).to.throw('messages has 51000 parts in total, but at most 50000 are allowed.')
    const item = { role: 'user', content: many(1_000, { type: 'input_text', text: 'x' }) }
    expect(() => readInput(undefined, many(51, item), ignored)).to.throw('input has 51000 parts in total')
  })

  it('joins the results of one turn, and the items of one turn, in order', () => {
    const calls = [1, 2, 3].map((number) => ({ id: `c${number}`, function: { name: `f${number}`, arguments: '{}' } }))
    const results = [1, 2, 3].map((number) => ({ role: 'tool', tool_call_id: `c${number}`, content: `${number}` }))
    const [, answered] = readChatMessages([{ role: 'assistant', tool_calls: calls }, ...results], ignored)
    expect(answered).to.have.property('content').that.has.length(3)
    const items = [1, 2, 3].map((number) => ({ type: 'function_call', call_id: `c${number}`, name: 'f', arguments: '{}' }))
    const outputs = [1, 2, 3].map((number) => ({ type: 'function_call_output', call_id: `c${number}`, output: `${number}` }))
    const read = readInput(undefined, [...items, ...outputs], ignored)
    expect(read.map(({ role, content }) => `${role} ${content.length}`)).to.deep.equal(['assistant 3', 'tool 3'])
  })
})
