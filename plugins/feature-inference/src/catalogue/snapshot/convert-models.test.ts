import type { JsonObject } from '@agent-service/sdk'
import { validate } from '@agent-service/sdk'
import { expect } from 'chai'
import { sourceModel, sourceProvider } from '../../test-support/source-list.js'
import { modelsFileSchema } from '../catalogue-schema.js'
import { isClearlyValidSnapshot } from '../fast-validation.js'
import { convertModels } from './convert-models.js'
import { printModels } from './print-snapshot.js'

const convert = (models: JsonObject) => convertModels({ openai: sourceProvider(models) }, '2026-07-02').models['openai'] ?? {}
const only = (changes: JsonObject) => convert({ m: sourceModel(changes) })['m']

describe('the snapshot of models', () => {
  it('has limits, prices, input types beside text, and abilities', () => {
    expect(only({})).to.deep.equal({
      name: 'A model',
      context_window: 200_000,
      max_output_tokens: 64_000,
      price: { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 },
      input: ['image', 'pdf'],
      abilities: ['tools', 'reasoning'],
    })
  })

  it('omits what is not known', () => {
    const bare = { name: 'm', modalities: { input: ['text'], output: ['text'] }, limit: { context: 5, output: 0 } }
    expect(convert({ m: bare })['m']).to.deep.equal({ context_window: 5 })
    expect(only({ cost: { input: 1 } })).to.not.have.property('price')
    expect(only({ cost: { input: -1, output: 2 } })).to.not.have.property('price')
  })

  it('has tiers by the size of the prompt, in either form of the source', () => {
    const tiers = [
      { input: 9, output: 20, tier: { type: 'context', size: 500_000 } },
      { input: 6, output: 18, cache_read: 0.6, tier: { size: 272_000 } },
      { input: 1, output: 1, tier: { type: 'elsewhere', size: 1 } },
    ]
    expect(only({ cost: { input: 3, output: 15, tiers, context_over_200k: { input: 7, output: 7 } } })?.price?.tiers).to.deep.equal([
      { above_input_tokens: 272_000, input: 6, output: 18, cached_input: 0.6 },
      { above_input_tokens: 500_000, input: 9, output: 20 },
    ])
    expect(only({ cost: { input: 3, output: 15, context_over_200k: { input: 7, output: 8 } } })?.price?.tiers).to.deep.equal([
      { above_input_tokens: 200_000, input: 7, output: 8 },
    ])
  })

  const omitted: readonly (readonly [string, string, JsonObject])[] = [
    ['a deprecated model', 'm', { status: 'deprecated' }],
    ['a model without a context window', 'm', { limit: { context: 0, output: 0 } }],
    ['a maker of images', 'm', { modalities: { input: ['text'], output: ['image'] } }],
    ['a reader of speech alone', 'm', { modalities: { input: ['audio'], output: ['text'] } }],
    ['embeddings', 'text-embedding-3-large', {}],
    ['a ranking', 'rerank-v4', {}],
    ['what is served elsewhere', 'm', { provider: { npm: '@ai-sdk/anthropic', api: 'https://else.example' } }],
  ]
  for (const [what, id, changes] of omitted) {
    it(`omits ${what}`, () => {
      expect(convert({ [id]: sourceModel(changes), kept: sourceModel() })).to.have.all.keys('kept')
    })
  }

  it('keeps previews, and models that differ only by protocol', () => {
    expect(convert({ a: sourceModel({ status: 'beta' }), b: sourceModel({ provider: { shape: 'completions' } }) })).to.have.all.keys(
      'a',
      'b',
    )
  })

  it('contains only our brands, in an order independent of the source', () => {
    const models = { b: sourceModel(), a: sourceModel() }
    const source = { zeta: sourceProvider(models), openai: sourceProvider(models), anthropic: sourceProvider(models) }
    const turned = { anthropic: sourceProvider({ a: sourceModel(), b: sourceModel() }), openai: sourceProvider(models), zeta: {} }
    const text = printModels(convertModels(source, '2026-07-02'))
    expect(Object.keys(convertModels(source, '2026-07-02').models)).to.deep.equal(['openai', 'anthropic'])
    expect(printModels(convertModels(turned, '2026-07-02'))).to.equal(text)
    expect(JSON.parse(text)).to.deep.equal(convertModels(source, '2026-07-02'))
  })

  it('is valid by its schema for any source', () => {
    const odd: readonly unknown[] = [
      ...[null, 1, 'x', [], { openai: null }, { openai: { name: 'x', npm: 'y' } }, { openai: sourceProvider({ m: null, n: [] }) }],
      { openai: sourceProvider({ m: sourceModel({ name: 7, cost: [], modalities: { input: 'text', output: ['text'] } }) }) },
      { openai: sourceProvider({ m: sourceModel({ limit: { context: 1e300 }, cost: { input: null, output: 'x' } }) }) },
      JSON.parse('{"openai":{"name":"x","npm":"y","models":{"__proto__":{"limit":{"context":1}}}},"__proto__":{}}'),
    ]
    for (const source of odd) {
      const snapshot = convertModels(source, '2026-07-02')
      expect(validate(modelsFileSchema, snapshot), JSON.stringify(source)).to.deep.equal([])
      expect(isClearlyValidSnapshot(snapshot), JSON.stringify(source)).to.equal(true)
    }
  })
})
