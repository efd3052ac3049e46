import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createConnections } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import { createGroupRegistry } from '../targets/group-registry.js'
import { groupOf, repositoryResources } from '../test-support/fakes.js'
import { createCatalogue } from './catalogue.js'
import type { CatalogueFiles, CompatibleBrandsFile, ModelsFile } from './catalogue-schema.js'
import { readCatalogue } from './read-catalogue.js'
import { printBrands, printModels } from './snapshot/print-snapshot.js'

const read = async (name: string): Promise<unknown> => JSON.parse(await repositoryResources.read(`catalogue/${name}.json`))

/** The repository's brands and protocols with the test's own models and overrides. */
const catalogueOf = async (models: CatalogueFiles['models']['models'], overrides?: CatalogueFiles['model-overrides']) =>
  createCatalogue({
    brands: (await read('brands')) as CatalogueFiles['brands'],
    protocols: (await read('protocols')) as CatalogueFiles['protocols'],
    models: { version: '2026-01-01', models },
    ...(overrides && { 'model-overrides': overrides }),
  })

describe('models of the catalogue', () => {
  it('are the snapshot with the overrides applied, member by member', async () => {
    const snapshot = {
      openai: { a: { context_window: 5, max_output_tokens: 4, price: { input: 1, output: 2 } }, b: { context_window: 6 } },
    }
    const catalogue = await catalogueOf(snapshot, {
      models: { openai: { a: { price: { input: 9, output: 9 } }, c: { context_window: 7 } }, mira: { d: { protocol: 'completions' } } },
    })
    expect(catalogue.model('openai', 'a')).to.deep.equal({ context_window: 5, max_output_tokens: 4, price: { input: 9, output: 9 } })
    expect(catalogue.model('openai', 'b')).to.deep.equal({ context_window: 6 })
    expect(catalogue.model('openai', 'c')).to.deep.equal({ context_window: 7 })
    expect(catalogue.models().map(({ brand, id }) => `${brand} ${id}`)).to.deep.equal(['openai a', 'openai b', 'openai c', 'mira d'])
    for (const [brand, id] of [
      ['openai', 'gone'],
      ['openai', 'toString'],
      ['constructor', 'name'],
      [undefined, 'a'],
    ] as const)
      expect(catalogue.model(brand, id)).to.equal(undefined)
  })

  it('have a version that includes that of the overrides, and changes with a snapshot', async () => {
    const catalogue = await catalogueOf({}, { version: 'our-prices-3', models: {} })
    expect(catalogue.version).to.equal('2026-01-01+our-prices-3')
    catalogue.replaceSnapshot({ version: '2026-02-02T10:00:00.000Z', models: {} })
    expect(catalogue.version).to.equal('2026-02-02T10:00:00.000Z+our-prices-3')
    expect((await catalogueOf({})).version).to.equal('2026-01-01')
  })

  it('determine the context window of groups: the setting, else the present catalogue, else 128,000', async () => {
    const catalogue = await catalogueOf(
      { openai: { a: { context_window: 5 } } },
      { models: { openai: { bare: { protocol: 'completions' } } } },
    )
    const connections = createConnections({ openai: { enabled: true } }, catalogue, () => undefined)
    const group = (changes: object) => groupOf({ provider: 'openai', ...changes }) as never
    const models = {
      set: group({ model: 'a', context_window: 9 }),
      known: group({ model: 'a' }),
      bare: group({ model: 'bare' }),
      unknown: group({ model: 'x' }),
    }
    const groups = createGroupRegistry(models, {
      connections,
      catalogue,
      refusedTools: { reasonOf: () => undefined },
      anyProviderConfigured: true,
    })
    const windows = () => groups.list().map((listed) => listed.context_window)
    expect(windows()).to.deep.equal([9, 5, 128_000, 128_000])
    catalogue.replaceSnapshot({ version: '2026-02-02', models: { openai: { a: { context_window: 6 }, x: { context_window: 7 } } } })
    expect(windows()).to.deep.equal([9, 6, 128_000, 7])
  })

  it('take a protocol from the overrides, even if no snapshot has the model', async () => {
    const catalogue = await readCatalogue(repositoryResources)
    const { find } = createConnections({ 'github-copilot': { enabled: true } }, catalogue, () => undefined)
    const connection = find('github-copilot')
    const protocolOf = (model: string) => connection && defaultProtocol(connection, model, catalogue)
    expect(['gpt-5-codex', 'gpt-5.3-codex', 'gpt-5.1-codex', 'gpt-5.4'].map(protocolOf)).to.deep.equal([
      ...['responses', 'responses', 'responses', 'completions'],
    ])
  })

  it('load without the two files that earlier resources folders lack', async () => {
    const without = {
      ...repositoryResources,
      read: (path: string) =>
        /overrides|compatible/.test(path) ? Promise.reject(notFoundError.create({ what: path })) : repositoryResources.read(path),
    }
    const catalogue = await readCatalogue(without)
    expect(catalogue.model('openai', 'gpt-5')?.context_window).to.equal(400_000)
    expect(catalogue.model('ollama', 'llama3.2')).to.equal(undefined)
    expect(catalogue.compatibleBrands()).to.deep.equal([])
    const failing = { ...repositoryResources, read: () => Promise.reject(new Error('disk')) }
    expect(await readCatalogue(failing).catch((error: unknown) => error)).to.have.property('message', 'disk')
  })
})

describe('the shipped snapshot', () => {
  it('has every default model of the brands, with the overrides', async () => {
    const catalogue = await readCatalogue(repositoryResources)
    const withDefault = catalogue.brands.filter(({ default_model: model }) => model !== undefined)
    expect(withDefault).to.have.length(17)
    for (const { id, default_model: model = '' } of withDefault)
      expect(catalogue.model(id, model)?.context_window, `${id} ${model}`).to.be.greaterThan(1_000)
  })

  it('has models of every brand except those with own models or unknown to the source', async () => {
    const { models } = (await read('models')) as CatalogueFiles['models']
    const { brands } = await readCatalogue(repositoryResources)
    const without = brands.map(({ id }) => id).filter((id) => Object.keys(models[id] ?? {}).length === 0)
    expect(without).to.have.members(['hyperbolic', 'mira', 'galadriel', 'ollama'])
  })

  it('equals its generated form', async () => {
    const models = await repositoryResources.read('catalogue/models.json')
    expect(printModels(JSON.parse(models) as ModelsFile) === models).to.equal(true)
    const brands = await repositoryResources.read('catalogue/compatible-brands.json')
    expect(printBrands(JSON.parse(brands) as CompatibleBrandsFile) === brands).to.equal(true)
  })

  it('has a price for nearly every model', async () => {
    const { models } = (await read('models')) as CatalogueFiles['models']
    const all = Object.values(models).flatMap((known) => Object.values(known))
    expect(all.filter(({ price }) => price !== undefined).length / all.length).to.be.greaterThan(0.9)
  })
})
