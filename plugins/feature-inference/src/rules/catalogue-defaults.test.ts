import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { defaultsOf } from '../test-support/run-rules.js'
import { workConnection } from '../test-support/start-plugin.js'

describe('defaults of the catalogue', () => {
  it('are those of the brand, whether a value is set or not', () => {
    const given = {
      'providers.groq.provider': 'groq',
      'providers.groq.adapter': 'adapter_alpha',
      'providers.groq.base_url': 'https://api.groq.com/openai/v1',
    }
    expect(defaultsOf({ groq: {} })).to.deep.equal(given)
    expect(defaultsOf({ groq: { base_url: 'https://mine.example' } })).to.deep.equal(given)
  })

  it('follow the brand of the connection, and its handle for the brand itself', () => {
    expect(defaultsOf({ gemini: {} })).to.include({ 'providers.gemini.provider': 'google', 'providers.gemini.adapter': 'adapter_gamma' })
    expect(defaultsOf({ house: { provider: 'groq' } })).to.have.all.keys('providers.house.adapter', 'providers.house.base_url')
    expect(defaultsOf({ azure: { base_url: 'https://x.example' } })).to.include({ 'providers.azure.azure_api_version': '2024-10-21' })
    expect(defaultsOf({ 'amazon-bedrock': {} })).to.not.have.property('providers.amazon-bedrock.base_url')
    expect(defaultsOf({ work: workConnection })).to.deep.equal({})
  })

  it('include the protocol and limit of a group’s model, but nothing for fallbacks', () => {
    const fallbacks = [{ provider: 'groq', model: 'x' }]
    const group = groupOf({ provider: 'openai', model: 'gpt-5', api: 'completions', context_window: 5, fallbacks })
    const unknown = groupOf({ provider: 'groq', model: 'of-my-own' })
    expect(defaultsOf({ openai: {}, groq: {} }, { primary: group, 'a.b': unknown })).to.include({
      'models.primary.api': 'responses',
      'models.primary.context_window': 400_000,
      'models."a.b".api': 'completions',
      'models."a.b".context_window': 128_000,
    })
    expect(Object.keys(defaultsOf({ openai: {}, groq: {} }, { primary: group })).join()).to.not.contain('fallbacks')
    expect(defaultsOf({}, { primary: groupOf({ provider: 'nowhere' }) })).to.deep.equal({})
  })
})
