import { type JsonObject, validate } from '@agent-service/sdk'
import { checkPortableSchema } from '@agent-service/sdk/host'
import { expect } from 'chai'
import { readCatalogue } from './catalogue/read-catalogue.js'
import { inferenceSection } from './configuration/inference-section.js'
import { commonGroupMembers, modelGroupSchema, modelsSection } from './configuration/models-section.js'
import { connectionSchema, providersSection } from './configuration/providers-section.js'
import plugin from './index.js'
import { repositoryResources } from './test-support/fakes.js'

interface FallbackSchema {
  readonly items: { readonly properties: { readonly context_window: JsonObject; readonly retry: JsonObject } }
}

describe('the catalogue', () => {
  it('has the 21 brands, each with a known family and protocol', async () => {
    const { brands, family, protocolsOf } = await readCatalogue(repositoryResources)
    expect(brands.map(({ id }) => id)).to.have.members([
      ...[
        'github-copilot',
        'azure',
        'amazon-bedrock',
        'openai',
        'anthropic',
        'kimi-for-coding',
        'ollama',
        'groq',
        'openrouter',
        'deepseek',
        'google',
      ],
      ...['cohere', 'mistral', 'perplexity', 'togetherai', 'xai', 'hyperbolic', 'moonshotai', 'mira', 'galadriel', 'huggingface'],
    ])
    for (const brand of brands) {
      expect(family(brand.adapter)?.id, brand.id).to.equal(brand.adapter)
      expect(brand.protocols, brand.id).to.include(brand.default_protocol)
      expect(protocolsOf(brand.adapter), brand.id).to.include.members(brand.protocols)
    }
    expect((providersSection as unknown as JsonObject)['x-known-keys']).to.have.members(brands.map(({ id }) => id))
  })

  it('discovers in the fixed order, and four brands never', async () => {
    const { brands } = await readCatalogue(repositoryResources)
    expect(brands.flatMap(({ discovery }) => [...(discovery?.api_key ?? []), ...(discovery?.base_url ?? [])])).to.deep.equal([
      ...[
        'OPENAI_API_KEY',
        'ANTHROPIC_API_KEY',
        'GROQ_API_KEY',
        'OPENROUTER_API_KEY',
        'DEEPSEEK_API_KEY',
        'GEMINI_API_KEY',
        'GOOGLE_API_KEY',
      ],
      ...[
        'COHERE_API_KEY',
        'MISTRAL_API_KEY',
        'PERPLEXITY_API_KEY',
        'TOGETHER_API_KEY',
        'XAI_API_KEY',
        'HYPERBOLIC_API_KEY',
        'MOONSHOT_API_KEY',
      ],
      ...['MIRA_API_KEY', 'GALADRIEL_API_KEY', 'HF_TOKEN', 'HUGGINGFACE_API_KEY', 'OLLAMA_API_BASE_URL'],
    ])
    expect(brands.filter(({ discovery }) => !discovery).map(({ id }) => id)).to.have.members([
      'azure',
      'amazon-bedrock',
      'github-copilot',
      'kimi-for-coding',
    ])
  })

  it('knows the default model of every brand that can be discovered, and the legacy spellings', async () => {
    const catalogue = await readCatalogue(repositoryResources)
    for (const { id, discovery, default_model: model } of catalogue.brands) {
      if (discovery) expect(catalogue.model(id, model ?? '')?.context_window, id).to.be.greaterThan(1_000)
    }
    expect(['gemini', 'together', 'moonshot'].map((name) => catalogue.brand(name)?.id)).to.deep.equal([
      'google',
      'togetherai',
      'moonshotai',
    ])
  })

  it('finds every family by both names, and every spelling of a protocol', async () => {
    const { family, protocol, protocolsOf } = await readCatalogue(repositoryResources)
    const families = {
      ...{ openai: 'adapter_alpha', anthropic: 'adapter_beta', gemini: 'adapter_gamma', bedrock: 'adapter_delta' },
      ...{ cohere: 'adapter_epsilon', ollama: 'adapter_zeta', huggingface: 'adapter_eta' },
    }
    for (const [name, id] of Object.entries(families)) {
      expect([family(name)?.id, family(id)?.id], name).to.deep.equal([id, id])
      expect(protocolsOf(id), name).to.include(family(id)?.default_protocol)
    }
    const spellings = {
      responses: ['openai-responses'],
      completions: ['chat_completions', 'openai-chat-completions'],
      'anthropic-messages': ['adapter_beta'],
      'google-generate-content': ['adapter_gamma'],
      'amazon-bedrock-converse': ['adapter_delta'],
      'cohere-chat': ['adapter_epsilon'],
      ollama: ['adapter_zeta'],
      huggingface: ['adapter_eta'],
    }
    for (const [id, aliases] of Object.entries(spellings))
      for (const name of [id, ...aliases]) expect(protocol(name)?.id, name).to.equal(id)
    expect(protocol('adapter_alpha')).to.equal(undefined)
  })

  it('protects model, conversation, tools and streaming of every protocol, and the schema of structured calls', async () => {
    const { protocol, family, protocolsOf } = await readCatalogue(repositoryResources)
    const ids = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'].flatMap((word) => protocolsOf(`adapter_${word}`))
    expect(ids).to.have.length(8)
    for (const id of ids) {
      const known = protocol(id)
      expect(family(known?.family ?? ''), id).to.not.equal(undefined)
      expect(
        known?.protected.some((path) => ['messages', 'input', 'contents'].includes(path)),
        id,
      ).to.equal(true)
      expect(
        known?.protected.some((path) => path === 'tools' || path === 'toolConfig'),
        id,
      ).to.equal(true)
      expect(
        known?.protected.some((path) => path === 'model' || path === 'modelId'),
        id,
      ).to.equal(true)
      expect(known?.protected_structured.length, id).to.be.greaterThan(0)
    }
  })

  it('lists for models only protocols that their brand speaks', async () => {
    const { brand, models } = await readCatalogue(repositoryResources)
    expect(models().filter(({ model }) => model.protocol !== undefined)).to.not.deep.equal([])
    for (const { brand: id, model } of models()) {
      expect(brand(id)?.id, id).to.equal(id)
      if (model.protocol !== undefined) expect(brand(id)?.protocols, id).to.include(model.protocol)
    }
  })

  it('is refused with file and path when it is damaged', async () => {
    const broken = (text: string) => ({
      ...repositoryResources,
      read: (path: string) => (path.includes('brands') ? Promise.resolve(text) : repositoryResources.read(path)),
    })
    for (const text of ['{', '{"brands":[{"id":"x"}]}']) {
      await readCatalogue(broken(text)).then(
        () => expect.fail('it was accepted'),
        (error: unknown) => {
          expect(error).to.include({ code: 'catalogue_invalid' })
          expect((error as Error).message).to.contain('catalogue/brands.json')
        },
      )
    }
  })
})

describe('the sections of the configuration', () => {
  it('can be read as plain JSON', () => {
    for (const [name, schema] of Object.entries(plugin.manifest.sections ?? {}))
      expect(checkPortableSchema(schema, `/${name}`)).to.deep.equal([])
  })

  it('leave the typed settings to the adapters, at every depth', () => {
    const places = JSON.stringify(modelsSection).match(/"x-extension-place":"settings","x-variant-member":"api"/g)
    expect(places).to.have.length(4)
  })

  it('declare that group settings have no effect in a fallback', () => {
    const { context_window: contextWindow, retry } = (modelGroupSchema.properties.fallbacks as unknown as FallbackSchema).items.properties
    expect([contextWindow['x-no-effect'], retry['x-no-effect']].join(' ')).to.match(/on the group.*on the group/)
  })

  it('have every field with its default', () => {
    const defaults = (properties: JsonObject) =>
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, (schema as JsonObject)['default']]))
    expect(defaults(inferenceSection.properties as unknown as JsonObject)).to.deep.include({
      max_tool_turns: 200,
      default_max_tokens: 8192,
      compaction_trigger_pct: 80,
      history_truncation_pct: 90,
    })
    expect(defaults(inferenceSection.properties.timeouts.properties as unknown as JsonObject)).to.deep.equal({
      connect_secs: 30,
      first_token_secs: 300,
      idle_secs: 120,
      total_secs: 3600,
    })
    expect(defaults(modelGroupSchema.properties.retry.properties as unknown as JsonObject)).to.deep.equal({
      max_retries: 10,
      initial_backoff_ms: 1000,
      backoff_multiplier: 2,
      max_backoff_ms: 60_000,
    })
    expect(Object.keys(connectionSchema.properties)).to.have.members([
      ...[
        'provider',
        'adapter',
        'api_key',
        'credential_id',
        'base_url',
        'enabled',
        'aws_region',
        'aws_profile',
        'azure_api_version',
        'azure_credential',
      ],
    ])
    expect([...commonGroupMembers]).to.have.members([
      ...[
        'provider',
        'model',
        'api',
        'extra_params',
        'fallbacks',
        'max_tokens',
        'temperature',
        'inline_reasoning',
        'context_window',
        'retry',
        'price',
      ],
    ])
  })

  it('check the ranges of values', () => {
    const group = {
      provider: 'a',
      model: 'b',
      extra_params: {},
      fallbacks: [],
      retry: { max_retries: 1, initial_backoff_ms: 0, backoff_multiplier: 1, max_backoff_ms: 0 },
    }
    expect(validate(modelGroupSchema, group)).to.deep.equal([])
    for (const wrong of [
      { temperature: 2.1 },
      { temperature: -1 },
      { max_tokens: 0 },
      { context_window: 0 },
      { price: { input: -1, output: 1 } },
      { price: { input: 1, output: 100_001 } },
      { price: { input: 1, cached_input: -0.1, output: 1 } },
      { price: { input: '1', output: 1 } },
      { retry: { ...group.retry, backoff_multiplier: 0.5 } },
    ]) {
      expect(validate(modelGroupSchema, { ...group, ...wrong }), JSON.stringify(wrong)).to.not.deep.equal([])
    }
  })
})
