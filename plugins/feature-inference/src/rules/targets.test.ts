import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { errorPaths, errorsOf, warningsOf } from '../test-support/run-rules.js'
import { workConnection } from '../test-support/start-plugin.js'

const providers = { work: workConnection }
const primary = (changes: JsonObject = {}): JsonObject => ({ primary: groupOf(changes) })
const withVariables = (...environmentNames: readonly string[]) => ({ environmentNames })

describe('rules of models: connections', () => {
  it('must be configured or discovered, under any spelling of their brand', () => {
    expect(errorPaths({}, primary({ provider: 'groq' }), withVariables('GROQ_API_KEY'))).to.deep.equal([])
    expect(errorPaths({}, primary({ provider: 'gemini' }), withVariables('GOOGLE_API_KEY'))).to.deep.equal([])
    expect(errorPaths({ google: { api_key: 'k' } }, primary({ provider: 'gemini' }))).to.deep.equal([])
    expect(errorPaths({ together: { api_key: 'k' } }, primary({ provider: 'togetherai' }))).to.deep.equal([])
    expect(errorPaths({}, primary({ provider: 'azure' }), withVariables('AZURE_OPENAI_API_KEY'))).to.deep.equal(['models.primary.provider'])
  })

  it('are suggested by similar name, by variable, or by listing all', () => {
    expect(errorsOf(providers, primary({ provider: 'wrok' }))).to.deep.equal([
      'models.primary.provider: “wrok” is not a configured or discovered connection; did you mean “work”?',
    ])
    expect(errorsOf({}, primary({ provider: 'google' })).join()).to.contain(
      'set GEMINI_API_KEY or GOOGLE_API_KEY, or add it under providers',
    )
    expect(errorsOf({}, primary({ provider: 'elsewhere' })).join()).to.contain('there are no connections; add it under providers')
    expect(errorsOf(providers, primary({ provider: 'elsewhere' })).join()).to.contain('known connections: work')
  })

  it('are required in fallbacks too, at any depth', () => {
    const nested = { provider: 'work', model: 'm', fallbacks: [{ provider: 'gone', model: 'm' }] }
    expect(errorPaths(providers, primary({ fallbacks: [nested] }))).to.deep.equal(['models.primary.fallbacks[0].fallbacks[0].provider'])
    const fallbacks = [{ provider: 'work', model: 'm', context_window: 5, retry: { max_retries: 1 }, seed: 1 }]
    expect(errorPaths(providers, primary({ fallbacks }))).to.deep.equal([])
    expect(errorPaths(providers, primary({ fallbacks: [{ provider: 'work', model: 'm', top_k: 1 }] }))).to.deep.equal([
      'models.primary.fallbacks[0].top_k',
    ])
  })

  it('quote a group with a dot in its name in the path', () => {
    expect(errorPaths(providers, { 'gpt-4.1': groupOf({ provider: 'gone' }) })).to.deep.equal(['models."gpt-4.1".provider'])
  })
})

describe('rules of models: protocols', () => {
  const azure = { azure: { base_url: 'https://x.example' } }
  const spoken: readonly (readonly [JsonObject, JsonObject])[] = [
    ...['completions', 'chat_completions', 'openai-chat-completions', 'responses', 'openai-responses'].map(
      (api) => [providers, { api }] as const,
    ),
    ...[
      ['anthropic', 'anthropic-messages', 'adapter_beta'],
      ['google', 'google-generate-content', 'adapter_gamma'],
      ['amazon-bedrock', 'amazon-bedrock-converse', 'adapter_delta'],
      ['cohere', 'cohere-chat', 'adapter_epsilon'],
      ['ollama', 'ollama', 'adapter_zeta'],
      ['huggingface', 'huggingface', 'adapter_eta'],
      ['kimi-for-coding', 'anthropic-messages', 'adapter_beta'],
      ['github-copilot', 'completions', 'responses'],
    ].flatMap(([handle = '', ...names]) => names.map((api) => [{ [handle]: {} }, { provider: handle, api }] as const)),
  ]
  for (const [connections, changes] of spoken) {
    it(`accept “${String(changes['api'])}” of ${String(changes['provider'] ?? 'a custom endpoint')}`, () => {
      expect(errorPaths(connections, primary(changes))).to.deep.equal([])
    })
  }

  const unspoken: readonly (readonly [JsonObject, JsonObject, string])[] = [
    [
      providers,
      { api: 'anthropic-messages' },
      '“anthropic-messages” is not spoken by adapter_alpha; the connection speaks responses, completions',
    ],
    [providers, { api: 'compeltions' }, '“compeltions” is not spoken by adapter_alpha; the connection speaks responses, completions'],
    [
      providers,
      { api: 'adapter_alpha' },
      '“adapter_alpha” is ambiguous between several protocols; the connection speaks responses, completions',
    ],
    [
      azure,
      { provider: 'azure', api: 'openai-responses' },
      '“openai-responses” is not spoken by the brand “azure”; the connection speaks completions',
    ],
    [
      { groq: {} },
      { provider: 'groq', api: 'responses' },
      '“responses” is not spoken by the brand “groq”; the connection speaks completions',
    ],
    [
      { cohere: {} },
      { provider: 'cohere', api: 'completions' },
      '“completions” is not spoken by the brand “cohere”; the connection speaks cohere-chat',
    ],
  ]
  for (const [connections, changes, message] of unspoken) {
    it(`refuse “${String(changes['api'])}” of ${String(changes['provider'] ?? 'a custom endpoint')}`, () => {
      expect(errorsOf(connections, primary(changes))).to.deep.equal([`models.primary.api: ${message}`])
    })
  }

  it('warn about one that cannot be called, requested by name or by default', () => {
    const openai = { openai: { api_key: 'k' } }
    const sentence = 'the protocol “responses” cannot be called: It comes later.'
    expect(warningsOf(openai, primary({ provider: 'openai' }))).to.deep.equal([`models.primary: ${sentence}`])
    expect(warningsOf(openai, primary({ provider: 'openai', api: 'openai-responses' }))).to.deep.equal([`models.primary.api: ${sentence}`])
    expect(warningsOf(openai, primary({ provider: 'openai', api: 'completions' }))).to.deep.equal([])
    expect(warningsOf({ openai: { base_url: 'https://proxy.example' } }, primary({ provider: 'openai' }))).to.have.length(1)
  })

  it('use the model’s default for the code assistant', () => {
    const copilot = { 'github-copilot': { api_key: 'k' } }
    const group = (model: string) => primary({ provider: 'github-copilot', model, min_p: 0.1 })
    expect(errorsOf(copilot, group('gpt-5-codex')).join()).to.contain('not supported by the protocol “responses”')
    expect(errorPaths(copilot, group('gpt-4.1'))).to.deep.equal([])
  })
})
