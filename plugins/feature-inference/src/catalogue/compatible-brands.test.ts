import { expect } from 'chai'
import { createScriptedAdapter, failure, groupOf, repositoryResources } from '../test-support/fakes.js'
import { defaultsOf, errorPaths, errorsOf } from '../test-support/run-rules.js'
import { infer, startPlugin } from '../test-support/start-plugin.js'
import { createCatalogue } from './catalogue.js'
import type { CatalogueFiles, CompatibleBrandEntry } from './catalogue-schema.js'
import { readCatalogue } from './read-catalogue.js'

const fileOf = async <Name extends keyof CatalogueFiles>(name: Name): Promise<NonNullable<CatalogueFiles[Name]>> =>
  JSON.parse(await repositoryResources.read(`catalogue/${name}.json`)) as NonNullable<CatalogueFiles[Name]>

const primary = (changes: Parameters<typeof groupOf>[0]) => ({ primary: groupOf(changes) })

describe('compatible brands', () => {
  it('are many, none of them built in, and each is usable or has a reason why not', async () => {
    const catalogue = await readCatalogue(repositoryResources)
    const all = catalogue.compatibleBrands()
    expect(all.length).to.be.greaterThan(100)
    for (const compatible of all) {
      expect(catalogue.brand(compatible.entry.id), compatible.entry.id).to.equal(undefined)
      if (!('brand' in compatible)) {
        expect(compatible.refused).to.match(/^no adapter speaks its protocol|cannot sign/)
        continue
      }
      const { brand } = compatible
      expect(catalogue.protocolsOf(brand.adapter), brand.id).to.include.members([brand.default_protocol, ...brand.protocols])
      expect(brand.base_url !== undefined || brand.requires_base_url, brand.id).to.equal(true)
    }
    expect(all.filter((compatible) => 'brand' in compatible).length).to.be.greaterThan(100)
  })

  const read = async (changes: Partial<CompatibleBrandEntry>) => {
    const entry = { id: 'house', name: 'House', protocols: ['completions'], authentication: ['api_key'], ...changes }
    const files = { brands: await fileOf('brands'), models: await fileOf('models'), protocols: await fileOf('protocols') }
    return createCatalogue({ ...files, 'compatible-brands': { version: 'v', brands: [entry] } }).compatibleBrand('house')
  }

  it('can be used if an adapter supports their protocol and authentication', async () => {
    expect(await read({ protocols: ['responses', 'completions'] })).to.have.nested.property('brand.default_protocol', 'responses')
    expect(await read({ protocols: ['anthropic-messages'] })).to.have.nested.property('brand.adapter', 'adapter_beta')
    expect(await read({ protocols: ['own', 'completions'] }))
      .to.have.nested.property('brand.protocols')
      .that.deep.equals(['completions'])
    expect(await read({ authentication: ['none', 'api_key'] }))
      .to.have.nested.property('brand.authentication')
      .that.deep.equals(['none', 'api_key'])
    expect(await read({ protocols: ['amazon-bedrock-converse'], authentication: ['aws'] }))
      .to.have.nested.property('brand.authentication')
      .that.deep.equals(['aws'])
  })

  it('cannot be used if no adapter does', async () => {
    expect(await read({ protocols: ['@own/package'] })).to.include({ refused: 'no adapter speaks its protocol (@own/package)' })
    expect(await read({ authentication: ['aws'] })).to.include({
      refused: 'the adapter adapter_alpha does not support its authentication (aws)',
    })
    expect(await read({ authentication: ['google_credentials'] })).to.have.property('refused')
  })

  it('provide address, adapter and protocol to a connection, by its handle or provider', () => {
    expect(errorPaths({ zai: { api_key: 'k' } }, primary({ provider: 'zai', model: 'm', min_p: 0.1 }))).to.deep.equal([])
    expect(defaultsOf({ zai: {} })).to.include({ 'providers.zai.provider': 'zai' })
    expect(defaultsOf({ work: { provider: 'minimax' } }, primary({ provider: 'work', model: 'm' }))).to.include({
      'providers.work.adapter': 'adapter_beta',
      'providers.work.base_url': 'https://api.minimax.io/anthropic/v1',
      'models.primary.api': 'anthropic-messages',
    })
    expect(errorPaths({ zai: { api_key: 'k' } }, primary({ provider: 'zai', api: 'anthropic-messages' }))).to.deep.equal([
      'models.primary.api',
    ])
    expect(errorPaths({ databricks: { api_key: 'k' } })).to.deep.equal(['providers.databricks.base_url'])
    expect(errorPaths({ databricks: { api_key: 'k', base_url: 'https://me.example/v1' } })).to.deep.equal([])
  })

  it('are refused with the reason if unusable, and count as custom brands with their own adapter', () => {
    expect(errorsOf({ cerebras: { api_key: 'k' } })).to.deep.equal([
      'providers.cerebras: the compatible brand “cerebras” cannot be used: no adapter speaks its protocol (@ai-sdk/cerebras). For an endpoint of the brand that speaks another protocol, set adapter and base_url',
    ])
    expect(errorPaths({ work: { provider: 'google-vertex', base_url: 'https://x.example' } })).to.deep.equal(['providers.work.provider'])
    const endpoint = { provider: 'cerebras', adapter: 'openai', base_url: 'https://x.example/v1' }
    expect(errorPaths({ work: endpoint }, primary({ provider: 'work', api: 'responses' }))).to.deep.equal([])
    expect(errorPaths({ zai: { adapter: 'anthropic' } })).to.deep.equal(['providers.zai.base_url'])
  })

  it('are never discovered', async () => {
    const { inference } = await startPlugin({ environment: { ZAI_API_KEY: 'k', ZHIPU_API_KEY: 'k', MINIMAX_API_KEY: 'k' } })
    expect(inference.groups()).to.deep.equal([])
  })

  it('are called at their address with the key of the connection, which is required', async () => {
    const adapter = createScriptedAdapter([[failure('bad_request', false)]])
    const models = { primary: groupOf({ provider: 'zai', model: 'm' }) }
    const { inference } = await startPlugin({ providers: { zai: { api_key: '${WORK_KEY}', enabled: true } }, models, adapters: [adapter] })
    await infer(inference)
    expect(adapter.requests[0]?.connection).to.include({ brand: 'zai', baseUrl: 'https://api.z.ai/api/paas/v4', apiKey: 'key-of-work' })
    const keyless = await startPlugin({ providers: { zai: { enabled: true } }, models, adapters: [adapter] })
    expect((await infer(keyless.inference)).error).to.include({ code: 'credential_missing' })
  })

  it('are refused by a call too, if a configuration was not checked', async () => {
    const models = { primary: groupOf({ provider: 'cerebras', model: 'm' }) }
    const { inference } = await startPlugin({ providers: { cerebras: { enabled: true } }, models, adapters: [createScriptedAdapter([])] })
    const { error } = await infer(inference)
    expect(error).to.include({ code: 'model_group_unusable' })
    expect((error as Error).message).to.contain('no adapter speaks its protocol (@ai-sdk/cerebras)')
  })
})
