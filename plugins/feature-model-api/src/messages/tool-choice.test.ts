import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { readTools } from './read-tools.js'
import { readToolChoice } from './tool-choice.js'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const described = { name: 'weather', description: 'The weather.', parameters }

const read = (...tools: readonly JsonObject[]) => {
  const ignored = createIgnoredFields()
  return { tools: readTools(tools, 'tools', ignored), names: ignored.names() }
}

describe('the tools of a request', () => {
  it('may repeat the type in the function, and lack it beside one', () => {
    for (const tool of [
      { type: 'function', function: { type: 'function', ...described } },
      { function: described },
      { type: null, function: described },
    ])
      expect(read(tool)).to.deep.equal({ tools: [described], names: [] })
    expect(() => read({ type: 'function', function: { type: 'builtin', ...described } })).to.throw('tools[0].function.type')
    expect(() => read(described)).to.throw('of the type “undefined”')
  })

  it('may have marks of their clients, which are named', () => {
    const marked = { type: 'function', function: { ...described, cache_control: {}, metadata: { x: 1 } }, custom_fields: { x: 1 } }
    const { tools, names } = read(marked)
    expect(tools).to.deep.equal([described])
    expect(names).to.deep.equal(['tools[].custom_fields', 'tools[].function.cache_control', 'tools[].function.metadata'])
    expect(read({ type: 'function', ...described, eager_input_streaming: true }).names).to.deep.equal(['tools[].eager_input_streaming'])
  })

  it('are refused if their parameters stand where they are not read', () => {
    const { parameters: input, ...named } = described
    for (const tool of [
      { type: 'function', function: { ...named, inputSchema: input } },
      { type: 'function', function: named, parameters: input },
      { type: 'function', ...named, input_schema: input },
    ])
      expect(() => read(tool)).to.throw('is not a field that is known here')
  })
})

describe('the choice of a tool', () => {
  it('has the words of other protocols too, as a text or as a type', () => {
    const choice = (value: unknown) => readToolChoice(value as never, { tools: [] }, createIgnoredFields())
    expect(['any', { type: 'any' }, { type: 'required' }].map(choice)).to.deep.equal(['required', 'required', 'required'])
    expect([{ type: 'auto' }, { type: 'none' }].map(choice)).to.deep.equal(['auto', 'none'])
    for (const value of [
      'weather',
      { type: 'any', name: 'x' },
      { type: 'allowed_tools', mode: 'auto', tools: [] },
      { type: 'web_search' },
      [],
    ])
      expect(() => choice(value), JSON.stringify(value)).to.throw('tool_choice')
  })
})
