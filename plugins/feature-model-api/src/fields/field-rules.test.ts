import { type JsonObject, ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { readChatMessages } from '../chat-completions/read-chat-messages.js'
import { readTool } from '../messages/read-tools.js'
import { readFormat, readToolChoice } from '../messages/tool-choice.js'
import { readInput } from '../responses/read-input.js'
import { checkedObject, checkFields, hint, only, otherContent } from './field-rules.js'
import { createIgnoredFields } from './ignored-fields.js'

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
  const rules = { a: 'carried', b: 'ignored', c: only([1, ['x']], 'must be 1.'), d: hint('x') } as const
  const ignored = createIgnoredFields()

  it('accept what they name, with its values, and null', () => {
    checkFields({ a: {}, b: 'x', c: 1 }, rules, '', ignored)
    checkFields({ c: ['x'], d: null, e: undefined }, rules, '', ignored)
  })

  it('ignore values that others are refused beside, and name them', () => {
    const named = createIgnoredFields()
    const some = { a: only([['x']], 'must be x.', [['x', 'y']]) } as const
    checkFields({ a: ['x'] }, some, '', named)
    expect(named.names()).to.deep.equal([])
    checkFields({ a: ['x', 'y'] }, some, '', named)
    expect(named.names()).to.deep.equal(['a'])
    expect(problemOf(() => checkFields({ a: ['y', 'x'] }, some, '', named))).to.equal('400 a')
  })

  it('refuse another value and another member, with the path', () => {
    expect(problemOf(() => checkFields({ c: 2 }, rules, '', ignored))).to.equal('400 c')
    expect(problemOf(() => checkFields({ toString: 1 }, rules, 'here', ignored))).to.equal('400 here.toString')
    expect(problemOf(() => checkFields(JSON.parse('{"__proto__":1}') as JsonObject, rules, '', ignored))).to.equal('400 __proto__')
    expect(problemOf(() => checkedObject([], rules, 'list', ignored))).to.equal('400 list')
  })

  it('note what has no effect, without values and positions, and other members if there is a rule for them', () => {
    const noted = createIgnoredFields()
    checkFields({ a: 1, b: 'secret', d: 'x', e: null }, rules, 'list[3].of[12]', noted)
    checkFields({ b: 1, d: 'y' }, rules, 'list[4].of[0]', noted)
    expect(noted.names()).to.deep.equal(['list[].of[].b', 'list[].of[].d'])
    checkFields({ constructor: 1, other: {}, a: 1 }, { a: 'carried', '*': 'ignored' }, '', noted)
    expect(noted.names().slice(2)).to.deep.equal(['constructor', 'other'])
    for (let index = 0; index < 1_000; index++) noted.add(`name-${index}`)
    expect(noted.names()).to.have.length(100)
  })

  it('compare values without writing them as text, which takes long for large ones', () => {
    const noted = createIgnoredFields()
    const large = {
      toJSON: () => {
        throw new Error('was written')
      },
    }
    checkFields({ d: large }, rules, '', noted)
    expect(noted.names()).to.deep.equal(['d'])
    expect(problemOf(() => checkFields({ c: large }, rules, '', ignored))).to.equal('400 c')
  })

  it('take unknown members that are empty, since they ask for nothing', () => {
    const noted = createIgnoredFields()
    checkFields({ tool_servers: [], features: {}, suffix: '' }, rules, '', noted)
    expect(noted.names()).to.deep.equal(['tool_servers', 'features', 'suffix'])
    for (const value of [[0], { x: null }, ' ', 0, false])
      expect(problemOf(() => checkFields({ x: value }, rules, '', ignored))).to.equal('400 x')
  })

  it('never let content be lost with the other members', () => {
    const open = { ...otherContent, '*': 'ignored' } as const
    checkFields({ images: [], files: [], image_url: '', attachments: {} }, open, '', ignored)
    for (const name of ['images', 'image_url', 'input_audio', 'attachments'])
      expect(problemOf(() => checkFields({ [name]: ['x'] }, open, 'messages[0]', ignored))).to.equal(`400 messages[0].${name}`)
  })

  it('are kept by readers of values of any shape: each is refused with 400, or read', () => {
    const shapes = [null, 0, 'x', true, [], {}, [null], [[]], { type: null }, { type: 'text' }, { type: [] }, { type: 'constructor' }]
    for (const shape of shapes) {
      const object = { role: 'user', type: shape, content: shape, name: shape } as JsonObject
      const readers: readonly (() => unknown)[] = [
        () => readChatMessages([object], ignored),
        () => readChatMessages([{ role: 'user', content: [shape] }], ignored),
        () => readChatMessages([{ role: 'assistant', content: 'x', tool_calls: [shape], refusal: shape }], ignored),
        () =>
          readChatMessages(
            [
              {
                role: 'user',
                content: [
                  { type: 'image_url', image_url: shape },
                  { type: 'file', file: shape },
                ],
              },
            ],
            ignored,
          ),
        () => readChatMessages([{ role: shape, content: 'x' } as JsonObject], ignored),
        () => readInput(undefined, [object], ignored),
        () => readInput(undefined, [{ role: 'user', content: [shape] }], ignored),
        () => readInput(undefined, [{ type: 'reasoning', summary: [shape], content: [shape] }], ignored),
        () => readInput(undefined, [{ type: 'function_call', call_id: 'a', name: 'f', arguments: shape }], ignored),
        () => readTool({ type: 'function', function: shape, name: shape, strict: shape }, 'tools[0]', ignored),
        () => readToolChoice(shape as never, { tools: [] }, ignored),
        () => readToolChoice({ type: 'function', function: shape } as never, { tools: [] }, ignored),
        () => readFormat(shape as never, 'response_format', ignored),
        () => readFormat({ type: 'json_schema', json_schema: shape } as never, 'response_format', ignored),
      ]
      for (const reader of readers) expect(problemOf(reader) ?? '400 ', String(reader)).to.match(/^400 /)
    }
  })
})
