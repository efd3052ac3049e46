import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { errorPaths, errorsOf, runRules, warningsOf } from '../test-support/run-rules.js'
import { workConnection } from '../test-support/start-plugin.js'

const providers = { work: workConnection, openai: {}, anthropic: {}, google: {}, 'amazon-bedrock': {}, ollama: {}, mistral: {} }
const primary = (extraParams: JsonObject, changes: JsonObject = {}): JsonObject => ({
  primary: groupOf({ extra_params: extraParams, ...changes }),
})
const overlaps = (extraParams: JsonObject, changes: JsonObject) =>
  runRules(providers, primary(extraParams, changes)).flatMap(({ path, overlap }) => (overlap ? [{ path, ...overlap }] : []))

describe('rules of models: extra parameters', () => {
  it('must not set members that the service owns, in any form', () => {
    expect(errorPaths(providers, primary({ messages: [], user: 'x', stream: null }))).to.have.members([
      'models.primary.extra_params.messages',
      'models.primary.extra_params.stream',
    ])
    expect(errorsOf(providers, primary({ model: 'other' }))).to.deep.equal([
      'models.primary.extra_params.model: is set by the service itself; remove it',
    ])
    expect(errorPaths(providers, primary({ tools: {} }, { api: 'chat_completions' }))).to.have.length(1)
  })

  it('may set members that only another protocol owns', () => {
    expect(errorPaths(providers, primary({ contents: [], modelId: 'x', input: 'x' }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ messages: [] }, { provider: 'google' }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ contents: [] }, { provider: 'google' }))).to.deep.equal(['models.primary.extra_params.contents'])
    expect(errorPaths(providers, primary({ toolConfig: {} }, { provider: 'amazon-bedrock' }))).to.deep.equal([
      'models.primary.extra_params.toolConfig',
    ])
    expect(errorPaths(providers, primary({ input: 'x' }, { provider: 'openai' }))).to.deep.equal(['models.primary.extra_params.input'])
  })

  it('are checked in fallbacks too', () => {
    const fallbacks = [{ provider: 'anthropic', model: 'm', extra_params: { system: 'x' } }]
    expect(errorPaths(providers, primary({}, { fallbacks }))).to.deep.equal(['models.primary.fallbacks[0].extra_params.system'])
  })

  it('cause a warning with their path if they set members of structured calls', () => {
    const openai = { provider: 'openai', api: 'openai-responses' }
    const warned = (extraParams: JsonObject, changes: JsonObject) =>
      warningsOf(providers, primary(extraParams, changes)).filter((line) => line.includes('extra_params'))
    expect(warned({ text: { format: {} } }, openai).join()).to.match(/^models.primary.extra_params.text.format: .*with a response schema/)
    expect(warned({ text: null }, openai).join()).to.match(/^models.primary.extra_params.text: /)
    expect(warned({ text: { verbosity: 'low' } }, openai)).to.deep.equal([])
    const generation = { generationConfig: { responseSchema: {}, responseMimeType: 'application/json', seed: 1 } }
    expect(warned(generation, { provider: 'google' })).to.have.length(2)
    expect(warned({ generationConfig: [] }, { provider: 'google' })).to.have.length(1)
    expect(errorPaths(providers, primary({ text: { format: {} } }, openai))).to.deep.equal([])
  })
})

describe('rules of models: overlaps', () => {
  it('are reported if a custom value overrides a typed one of the same name, and only then', () => {
    expect(overlaps({ top_p: 0.9, user: 'x' }, { top_p: 0.5, seed: 1 })).to.deep.equal([
      { path: 'models.primary.extra_params.top_p', typed: 'top_p', custom: 'top_p' },
    ])
    expect(overlaps({ top_p: 0.9 }, {})).to.deep.equal([])
    expect(overlaps({ user: 'x' }, { top_p: 0.5 })).to.deep.equal([])
  })

  it('are not errors, and never contain a value', () => {
    const found = runRules(providers, primary({ top_p: 'secret-ish' }, { top_p: 0.5 }))
    expect(found).to.deep.equal([
      {
        path: 'models.primary.extra_params.top_p',
        message: 'overrides the typed setting top_p',
        overlap: { typed: 'top_p', custom: 'top_p' },
      },
    ])
  })

  it('are found by the path of the setting in the protocol', () => {
    expect(overlaps({ max_completion_tokens: 5 }, { max_tokens: 9 })).to.deep.equal([
      { path: 'models.primary.extra_params.max_completion_tokens', typed: 'max_tokens', custom: 'max_completion_tokens' },
    ])
    const google = { provider: 'google', temperature: 1, thinking_config: { thinking_budget: 5, include_thoughts: true } }
    expect(overlaps({ generationConfig: { temperature: 0, thinkingConfig: { thinkingBudget: 1 } } }, google)).to.deep.equal([
      { path: 'models.primary.extra_params.generationConfig.temperature', typed: 'temperature', custom: 'generationConfig.temperature' },
      {
        path: 'models.primary.extra_params.generationConfig.thinkingConfig.thinkingBudget',
        typed: 'thinking_config.thinking_budget',
        custom: 'generationConfig.thinkingConfig.thinkingBudget',
      },
    ])
    expect(overlaps({ options: { num_predict: 1 } }, { provider: 'ollama', max_tokens: 5, num_ctx: 9 })).to.deep.equal([
      { path: 'models.primary.extra_params.options.num_predict', typed: 'max_tokens', custom: 'options.num_predict' },
    ])
    expect(overlaps({ inferenceConfig: { maxTokens: 1 } }, { provider: 'amazon-bedrock', max_tokens: 5 })).to.have.length(1)
    expect(overlaps({ reasoning: { effort: 'low' } }, { provider: 'openai', reasoning_effort: 'high' })).to.have.length(1)
  })

  it('are found if an object that contains the setting is replaced as a whole', () => {
    expect(overlaps({ options: null }, { provider: 'ollama', num_ctx: 9 })).to.deep.equal([
      { path: 'models.primary.extra_params.options', typed: 'num_ctx', custom: 'options' },
    ])
    const thinking = { type: 'enabled', budget_tokens: 2_000 }
    expect(overlaps({ thinking: { type: 'disabled' } }, { provider: 'anthropic', thinking })).to.deep.equal([
      { path: 'models.primary.extra_params.thinking.type', typed: 'thinking.type', custom: 'thinking.type' },
    ])
  })

  it('of brands without typed settings cover only the common ones', () => {
    expect(overlaps({ temperature: 0 }, { provider: 'mistral', temperature: 1 })).to.have.length(1)
  })
})
