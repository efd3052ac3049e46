import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { catalogueFacts, errorPaths, errorsOf, runRules, warningsOf } from '../test-support/run-rules.js'
import { workConnection } from '../test-support/start-plugin.js'

const primary = (changes: JsonObject = {}): JsonObject => ({ primary: groupOf(changes) })
const id = '0190c0de-0000-7000-8000-000000000000'

describe('rules of providers', () => {
  it('accept a custom endpoint, a built-in brand and an empty section', () => {
    expect(errorsOf({})).to.deep.equal([])
    expect(runRules({ work: workConnection, ollama: { enabled: true } }, primary())).to.deep.equal([])
  })

  it('warn about an unknown adapter if no third-party plugin contributes adapters', () => {
    const providers = { house: { provider: 'house', adapter: 'adapter_alhpa', base_url: 'http://house.invalid', enabled: true } }
    expect(warningsOf(providers, primary({ provider: 'house' }))).to.deep.equal([
      'providers.house.adapter: no installed plugin contributes the adapter “adapter_alhpa”; did you mean “adapter_alpha”?',
    ])
    expect(warningsOf(providers, primary({ provider: 'house' }), { thirdPartyPoints: ['provider.adapter'] })).to.deep.equal([])
    const disabled = { house: { ...providers.house, enabled: false } }
    expect(warningsOf(disabled, {}).filter((line) => line.includes('contributes'))).to.deep.equal([])
  })

  it('check handles against their pattern', () => {
    for (const handle of ['x', 'Work', '1work', 'wörk', 'a'.repeat(33), 'a b', '-a', '_a', 'a.b'])
      expect(errorsOf({ [handle]: workConnection }).join(), handle).to.contain('is not a valid handle: use 2 to 32')
    for (const handle of ['ab', 'a'.repeat(32), 'a-b_9']) expect(errorPaths({ [handle]: workConnection }), handle).to.deep.equal([])
    expect(errorPaths({ 'a.b': workConnection })).to.deep.equal(['providers."a.b"'])
  })

  const credentials: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['an API key', { groq: { api_key: 'k' } }, []],
    ['a managed credential', { groq: { credential_id: id } }, []],
    ['a profile', { 'amazon-bedrock': { aws_profile: 'p', aws_region: 'eu' } }, []],
    ['a bearer key with a region', { 'amazon-bedrock': { api_key: 'k', aws_region: 'eu' } }, []],
    ['credential_id with api_key', { work: { ...workConnection, credential_id: id } }, ['providers.work.credential_id']],
    [
      'credential_id with aws_profile',
      { 'amazon-bedrock': { aws_profile: 'p', credential_id: id } },
      ['providers.amazon-bedrock.credential_id'],
    ],
    [
      'credential_id with azure_credential',
      { azure: { azure_credential: true, credential_id: id, base_url: 'https://x.example' } },
      ['providers.azure.azure_credential', 'providers.azure.credential_id'],
    ],
    ['azure_credential alone', { azure: { azure_credential: {}, base_url: 'https://x.example' } }, ['providers.azure.azure_credential']],
    ['azure_credential elsewhere', { groq: { azure_credential: 'x' } }, ['providers.groq.azure_credential']],
    ['aws_profile with api_key', { 'amazon-bedrock': { aws_profile: 'p', api_key: 'k' } }, ['providers.amazon-bedrock.aws_profile']],
  ]
  for (const [what, providers, paths] of credentials) {
    it(`${paths.length === 0 ? 'accept' : 'refuse'} ${what}`, () => {
      expect(errorPaths(providers)).to.deep.equal(paths)
    })
  }

  it('refuse members of another family or brand', () => {
    expect(errorPaths({ work: { ...workConnection, aws_region: 'eu' } })).to.deep.equal(['providers.work.aws_region'])
    expect(errorPaths({ groq: { aws_profile: 'p' } })).to.deep.equal(['providers.groq.aws_profile'])
    const house = { adapter: 'bedrock', base_url: 'https://house.example', aws_region: 'eu', aws_profile: 'p' }
    expect(errorPaths({ house })).to.deep.equal([])
    expect(errorPaths({ groq: { azure_api_version: '1' } })).to.deep.equal(['providers.groq.azure_api_version'])
    expect(errorPaths({ azure: { azure_api_version: '1', base_url: 'https://x.example' } })).to.deep.equal([])
    expect(errorPaths({ tenant: { provider: 'azure', azure_api_version: '1', base_url: 'https://x.example' } })).to.deep.equal([])
  })
})

describe('rules of brands and adapters', () => {
  it('infer the brand from the handle, including legacy spellings', () => {
    for (const handle of ['groq', 'google', 'gemini', 'together', 'moonshot'])
      expect(errorPaths({ [handle]: {} }), handle).to.deep.equal([])
    for (const provider of ['gemini', 'together', 'moonshot']) expect(errorPaths({ mine: { provider } }), provider).to.deep.equal([])
    expect(errorsOf({ gemini: { adapter: 'adapter_alpha' } }).join()).to.contain('must be adapter_gamma for the built-in brand “google”')
  })

  it('refuse another adapter for a built-in brand', () => {
    expect(errorPaths({ groq: { adapter: 'adapter_beta' } })).to.deep.equal(['providers.groq.adapter'])
    expect(errorPaths({ groq: { adapter: 'adapter_scripted' } })).to.deep.equal(['providers.groq.adapter'])
    expect(errorPaths({ mine: { provider: 'gemini', adapter: 'adapter_alpha' } })).to.deep.equal(['providers.mine.adapter'])
    expect(errorPaths({ groq: { adapter: 'adapter_alpha' }, openrouter: { adapter: 'openai' } })).to.deep.equal([])
    expect(errorPaths({ groq: { provider: 'house', adapter: 'adapter_beta', base_url: 'https://house.example' } })).to.deep.equal([])
  })

  it('require an adapter and an address for a custom brand, and accept both names of each family', () => {
    expect(errorPaths({ house: {} })).to.deep.equal(['providers.house.adapter'])
    expect(errorsOf({ grok: {} }).join()).to.contain('did you mean “groq”?')
    const names = ['openai', 'anthropic', 'gemini', 'bedrock', 'cohere', 'ollama', 'huggingface']
    const ids = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'].map((word) => `adapter_${word}`)
    for (const adapter of [...names, ...ids]) {
      const local = ['ollama', 'adapter_zeta'].includes(adapter)
      expect(errorPaths({ house: { adapter } }), adapter).to.deep.equal(local ? [] : ['providers.house.base_url'])
      expect(runRules({ house: { adapter, base_url: 'https://house.example' } }, primary({ provider: 'house' })), adapter).to.deep.equal([])
    }
  })

  it('require an address for the cloud tenant, and for no other built-in brand', () => {
    expect(errorPaths({ azure: {} })).to.deep.equal(['providers.azure.base_url'])
    expect(errorPaths({ tenant: { provider: 'azure' } })).to.deep.equal(['providers.tenant.base_url'])
    const others = (catalogueFacts['brands'] as { readonly brands: readonly { readonly id: string }[] }).brands.filter(
      (brand) => brand.id !== 'azure',
    )
    expect(others).to.have.length(20)
    for (const brand of others) expect(errorPaths({ [brand.id]: {} }), brand.id).to.deep.equal([])
  })

  it('accept an adapter of a plugin without checking its protocol and settings', () => {
    const models = primary({ provider: 'demo', api: 'script', anything: 1, extra_params: { model: 'x' } })
    expect(errorPaths({ demo: { adapter: 'adapter_scripted' } }, models)).to.deep.equal([])
    expect(warningsOf({ demo: { adapter: 'adapter_scripted' } }, models)).to.deep.equal([])
  })

  it('warn about connections without any group', () => {
    expect(warningsOf({ work: workConnection }).join()).to.match(/^models: is empty although providers are configured/)
    expect(warningsOf({ work: workConnection }, primary())).to.deep.equal([])
    expect(warningsOf({}, {}, { environmentNames: ['GROQ_API_KEY'] })).to.deep.equal([])
  })

  it('warn when no model can be called, with the line that adds one', () => {
    expect(warningsOf({}).join()).to.match(/^models: .*no model can be called.*OPENAI_API_KEY=<key> agent-service start$/)
    expect(warningsOf({}, primary({ provider: 'openai' })).join()).not.to.include('no model can be called')
  })

  it('report the missing files if there is no catalogue', () => {
    const { protocols: _protocols, ...catalogue } = catalogueFacts
    expect(errorsOf({ house: {} }, {}, { catalogue })).to.deep.equal([])
    expect(warningsOf({ house: {} }, {}, { catalogue })).to.have.length(1)
    expect(warningsOf({ house: {} }, {}, { catalogue }).join()).to.match(/^storage.shared_config_dir: has no catalogue\/protocols.json:/)
  })
})
