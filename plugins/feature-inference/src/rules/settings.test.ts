import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { errorPaths, errorsOf, warningsOf } from '../test-support/run-rules.js'
import { workConnection } from '../test-support/start-plugin.js'

const providers = { work: workConnection, openai: {}, anthropic: {}, ollama: {}, cohere: {}, mistral: {} }
const primary = (changes: JsonObject = {}): JsonObject => ({ primary: groupOf(changes) })

describe('rules of models: typed settings', () => {
  it('are those of the requested protocol, by name, alias or default', () => {
    expect(errorPaths(providers, primary({ seed: 1, min_p: 0.1, stop: [] }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ api: 'chat_completions', seed: 1 }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ provider: 'openai', seed: 1, api: 'completions' }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ top_k: 1 }))).to.deep.equal(['models.primary.top_k'])
    expect(errorPaths(providers, primary({ api: 'chat_completions', top_k: 1 }))).to.deep.equal(['models.primary.top_k'])
    expect(errorPaths(providers, primary({ provider: 'openai', top_p: 0.5, seed: 1 }))).to.deep.equal(['models.primary.seed'])
    expect(errorPaths(providers, primary({ provider: 'anthropic', top_p: 0.5, top_k: 4, stop_sequences: [] }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ provider: 'ollama', num_ctx: 4096 }))).to.deep.equal([])
  })

  it('are refused with the protocol and its supported settings', () => {
    expect(errorsOf(providers, primary({ provider: 'openai', seed: 1 }))).to.deep.equal([
      'models.primary.seed: is not supported by the protocol “responses”, which supports max_tokens, temperature, top_p, max_completion_tokens, reasoning_effort; use extra_params for native parameters',
    ])
    expect(errorsOf(providers, primary({ provider: 'cohere', top_p: 0.5 })).join()).to.contain('which supports max_tokens, temperature;')
  })

  it('are refused for brands that take none', () => {
    expect(errorPaths(providers, primary({ provider: 'mistral', temperature: 0.5, max_tokens: 9 }))).to.deep.equal([])
    expect(errorsOf(providers, primary({ provider: 'mistral', top_p: 0.5 })).join()).to.contain('not supported by the brand “mistral”')
    for (const brand of ['perplexity', 'mistral', 'moonshotai', 'mira', 'galadriel', 'cohere', 'huggingface'])
      expect(errorPaths({ [brand]: {} }, primary({ provider: brand, top_p: 0.5 })), brand).to.deep.equal(['models.primary.top_p'])
    for (const brand of ['groq', 'openrouter', 'deepseek', 'xai', 'togetherai', 'hyperbolic', 'github-copilot'])
      expect(errorPaths({ [brand]: {} }, primary({ provider: brand, top_p: 0.5, seed: 1 })), brand).to.deep.equal([])
  })

  it('are not checked for a protocol that no plugin extends', () => {
    expect(errorPaths({ huggingface: {} }, primary({ provider: 'huggingface' }), { extensions: [] })).to.deep.equal([])
    expect(errorPaths(providers, primary({ anything: 1 }), { extensions: [] })).to.deep.equal([])
  })
})

describe('rules of models: limits', () => {
  it('warn if two limits are set, and name the one that applies', () => {
    expect(warningsOf(providers, primary({ max_tokens: 1, max_completion_tokens: 2 }))).to.deep.equal([
      'models.primary.max_completion_tokens: overrides max_tokens, which is also set',
    ])
    expect(warningsOf(providers, primary({ provider: 'ollama', max_tokens: 1, num_predict: 2 }))).to.deep.equal([
      'models.primary.num_predict: overrides max_tokens, which is also set',
    ])
    expect(warningsOf(providers, primary({ max_completion_tokens: 2 }))).to.deep.equal([])
  })

  const thinking = (budget: number, changes: JsonObject = {}, type: string | null = 'enabled') =>
    primary({ provider: 'anthropic', thinking: { ...(type === null ? {} : { type }), budget_tokens: budget }, ...changes })
  const budgets: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
    ['the least budget', thinking(1_024), undefined],
    ['less than the least', thinking(1_023), /budget_tokens: must be at least 1024/],
    ['less than max_tokens', thinking(2_047, { max_tokens: 2_048 }), undefined],
    ['as much as max_tokens', thinking(2_048, { max_tokens: 2_048 }), /must be less than max_tokens \(2048\)/],
    ['less than 8192 of a model that is not known', thinking(8_191), undefined],
    ['8192 of a model that is not known', thinking(8_192), /must be less than 8192, the limit while max_tokens is not set; set max_tokens/],
    ['less than the output limit of a known model', thinking(63_999, { model: 'claude-sonnet-4-5' }), undefined],
    [
      'the output limit of a known model',
      thinking(64_000, { model: 'claude-sonnet-4-5' }),
      /must be less than 64000, the output limit of “claude-sonnet-4-5”/,
    ],
    ['any budget while thinking is disabled', thinking(5, {}, 'disabled'), undefined],
  ]
  for (const [what, models, message] of budgets) {
    it(`${message ? 'refuse' : 'accept'} a thinking budget of ${what}`, () => {
      const errors = errorsOf(providers, models)
      if (message) expect(errors.join('\n')).to.match(message)
      else expect(errors).to.deep.equal([])
    })
  }

  it('warn about prices that are probably not meant, of a group and of a fallback', () => {
    const usual = { input: 600, cached_input: 0, output: 1_000 }
    const fallbacks = [
      { provider: 'work', model: 'm', extra_params: {}, fallbacks: [], price: { input: 1, cached_input: 2, output: 3_000 } },
    ]
    expect(warningsOf(providers, primary({ price: usual }))).to.deep.equal([])
    expect(warningsOf(providers, primary({ price: { input: 1_001, output: 0 }, fallbacks }))).to.deep.equal([
      'models.primary.price.input: is more than $1000 for a million tokens. Prices are per million tokens, in US dollars',
      'models.primary.fallbacks[0].price.output: is more than $1000 for a million tokens. Prices are per million tokens, in US dollars',
      'models.primary.fallbacks[0].price.cached_input: is higher than price.input, although input from a cache usually costs less',
    ])
  })

  it('require a complete price, by itself or with the catalogue', () => {
    expect(errorsOf(providers, primary({ price: { output: 1 } }))).to.deep.equal([
      'models.primary.price.input: is required: the catalogue has no price of “model-1”',
    ])
    expect(errorsOf(providers, primary({ provider: 'anthropic', model: 'claude-sonnet-4-5', price: { output: 1 } }))).to.deep.equal([])
    expect(errorsOf(providers, primary({ price: {} }))).to.deep.equal([])
  })

  it('warn about a budget without effect', () => {
    expect(warningsOf(providers, thinking(2_000, {}, null))).to.deep.equal([
      'models.primary.thinking.budget_tokens: has no effect without thinking.type: enabled',
    ])
  })

  it('check a fallback against its own limit', () => {
    const fallback = { provider: 'anthropic', model: 'm', thinking: { type: 'enabled', budget_tokens: 2_048 } }
    expect(errorPaths(providers, primary({ max_tokens: 2_000, fallbacks: [fallback] }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ fallbacks: [{ ...fallback, max_tokens: 2_048 }] }))).to.deep.equal([
      'models.primary.fallbacks[0].thinking.budget_tokens',
    ])
  })
})
