import { expect } from 'chai'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { noteSampling, refuseSettings } from './agent-settings.js'

describe('settings in a request to an agent', () => {
  it('that change what is asked for are refused, unless they have the default value', () => {
    const members = ['tools', 'tool_choice', 'response_format', 'text', 'stop']
    const neutral = {
      tools: [],
      tool_choice: 'auto',
      response_format: { type: 'text' },
      text: { format: { type: 'text' }, verbosity: 'low' },
      stop: '',
    }
    expect(() => refuseSettings(neutral, members)).to.not.throw()
    for (const body of [
      { tools: [{}] },
      { tool_choice: 'required' },
      { stop: 'x' },
      { text: { format: { type: 'json_object' } } },
      { response_format: { type: 'json_object' } },
    ])
      expect(() => refuseSettings(body, members), JSON.stringify(body)).to.throw(/is not supported for agents/)
  })

  it('that only say how to sample are noted', () => {
    const ignored = createIgnoredFields()
    noteSampling({ model: 'agent/x', temperature: 1, top_p: 0.5, seed: null, stream: true, metadata: {} }, ignored)
    expect(ignored.names()).to.deep.equal(['temperature', 'top_p'])
  })
})
