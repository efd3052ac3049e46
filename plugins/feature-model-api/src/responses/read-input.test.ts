import { expect } from 'chai'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { readInput } from './read-input.js'

describe('the input of a response', () => {
  it('may end with a result that is told as text, after those of functions', () => {
    const read = readInput(
      undefined,
      [
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'b', output: 'done' },
        { type: 'function_call_output', call_id: 'a', output: 'rain' },
      ],
      createIgnoredFields(),
    )
    expect(read.map(({ role }) => role)).to.deep.equal(['assistant', 'tool', 'user'])
    expect(read[2]?.content).to.deep.equal([{ type: 'text', text: '(patch answered: done)' }])
  })
})
