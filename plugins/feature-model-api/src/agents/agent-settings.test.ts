import { expect } from 'chai'
import { ignoredHeaders, refuseSettings } from './agent-settings.js'

describe('settings in a request to an agent', () => {
  it('that change what is asked for are refused, unless they have the default value', () => {
    const members = ['tools', 'tool_choice', 'response_format', 'text', 'stop']
    const neutral = { tools: [], tool_choice: 'auto', response_format: { type: 'text' }, text: { format: { type: 'text' } }, stop: null }
    expect(() => refuseSettings(neutral, members)).to.not.throw()
    for (const body of [
      { tools: [{}] },
      { tool_choice: 'required' },
      { stop: 'x' },
      { text: { verbosity: 'low' } },
      { response_format: { type: 'json_object' } },
    ])
      expect(() => refuseSettings(body, members), JSON.stringify(body)).to.throw(/is not supported for agents/)
  })

  it('that only say how to sample are named in a header', () => {
    expect(ignoredHeaders({ model: 'agent/x', temperature: 1, top_p: 0.5, seed: null })).to.deep.equal({
      'x-ignored-parameters': 'temperature, top_p',
    })
    expect(ignoredHeaders({ model: 'agent/x', stream: true, metadata: {} })).to.deep.equal({})
  })
})
