import { type JsonObject, ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { readChatMessages } from '../chat-completions/read-chat-messages.js'
import { readFormat, readTool, readToolChoice } from '../messages/tool-choice.js'
import { readInput } from '../responses/read-input.js'
import { checkedObject, checkFields, only } from './field-rules.js'

const problemOf = (run: () => unknown): string | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    if (!ServiceError.isInstance(error)) throw error
    return `${error.status} ${error.problems[0]?.path}`
  }
}

describe('the rules of fields', () => {
  const rules = { a: 'carried', b: 'ignored', c: only([1, ['x']], 'must be 1.') } as const

  it('accept what they name, with its values, and null', () => {
    checkFields({ a: {}, b: 'x', c: 1 }, rules, '')
    checkFields({ c: ['x'], d: null, e: undefined }, rules, '')
  })

  it('refuse another value and another member, with the path', () => {
    expect(problemOf(() => checkFields({ c: 2 }, rules, ''))).to.equal('400 c')
    expect(problemOf(() => checkFields({ toString: 1 }, rules, 'here'))).to.equal('400 here.toString')
    expect(problemOf(() => checkFields(JSON.parse('{"__proto__":1}') as JsonObject, rules, ''))).to.equal('400 __proto__')
    expect(problemOf(() => checkedObject([], rules, 'list'))).to.equal('400 list')
  })

  it('are kept by readers of values of any shape: each is refused with 400, or read', () => {
    const shapes = [null, 0, 'x', true, [], {}, [null], [[]], { type: null }, { type: 'text' }, { type: [] }, { type: 'constructor' }]
    for (const shape of shapes) {
      const object = { role: 'user', type: shape, content: shape, name: shape } as JsonObject
      const readers: readonly (() => unknown)[] = [
        () => readChatMessages([object]),
        () => readChatMessages([{ role: 'user', content: [shape] }]),
        () => readChatMessages([{ role: 'assistant', content: 'x', tool_calls: [shape], refusal: shape }]),
        () =>
          readChatMessages([
            {
              role: 'user',
              content: [
                { type: 'image_url', image_url: shape },
                { type: 'file', file: shape },
              ],
            },
          ]),
        () => readChatMessages([{ role: shape, content: 'x' } as JsonObject]),
        () => readInput(undefined, [object]),
        () => readInput(undefined, [{ role: 'user', content: [shape] }]),
        () => readInput(undefined, [{ type: 'reasoning', summary: [shape], content: [shape] }]),
        () => readInput(undefined, [{ type: 'function_call', call_id: 'a', name: 'f', arguments: shape }]),
        () => readTool({ type: 'function', function: shape, name: shape, strict: shape }, 'tools[0]'),
        () => readToolChoice(shape as never),
        () => readToolChoice({ type: 'function', function: shape } as never),
        () => readFormat(shape as never, 'response_format'),
        () => readFormat({ type: 'json_schema', json_schema: shape } as never, 'response_format'),
      ]
      for (const reader of readers) expect(problemOf(reader) ?? '400 ', String(reader)).to.match(/^400 /)
    }
  })
})
