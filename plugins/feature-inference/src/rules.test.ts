import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { rules } from './rules.js'
import { groupOf } from './test-support/fakes.js'
import { workConnection } from './test-support/start-plugin.js'

const brands = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../resources/catalogue/brands.json', import.meta.url)), 'utf8'),
) as JsonValue

const findings = (providers: JsonObject, models: JsonObject = {}, environmentNames: readonly string[] = []) =>
  rules.flatMap((rule) => rule({ providers, models, inference: {} }, { environmentNames, catalogue: { brands } }))
const problems = (providers: JsonObject, models?: JsonObject, environmentNames?: readonly string[]) =>
  findings(providers, models, environmentNames).filter(({ severity }) => severity !== 'warning')
const paths = (...given: Parameters<typeof problems>) => problems(...given).map(({ path }) => path)
const warnings = (...given: Parameters<typeof findings>) =>
  findings(...given)
    .filter(({ severity }) => severity === 'warning')
    .map(({ path }) => path)

const primary = (changes: JsonObject = {}): JsonObject => ({ primary: groupOf(changes) })

describe('rules of providers', () => {
  it('accept a custom endpoint, a built-in brand and an empty section', () => {
    expect(findings({})).to.deep.equal([])
    expect(findings({ work: workConnection, ollama: { enabled: true } }, primary())).to.deep.equal([])
  })

  it('hold handles to their pattern', () => {
    for (const handle of ['x', 'Work', '1work', 'wörk', 'a'.repeat(33), 'a b'])
      expect(problems({ [handle]: workConnection })[0]?.message, handle).to.contain('handle')
    for (const handle of ['ab', 'a'.repeat(32), 'a-b_9']) expect(paths({ [handle]: workConnection }), handle).to.deep.equal([])
    expect(paths({ 'a.b': workConnection })).to.deep.equal(['providers."a.b"'])
  })

  it('refuse credential_id beside another credential, and azure_credential always', () => {
    expect(paths({ work: { ...workConnection, credential_id: 'id' } })).to.deep.equal(['providers.work.credential_id'])
    expect(paths({ 'amazon-bedrock': { aws_profile: 'p', credential_id: 'id' } })).to.deep.equal(['providers.amazon-bedrock.credential_id'])
    expect(paths({ azure: { azure_credential: {}, base_url: 'https://x.example' } })).to.deep.equal(['providers.azure.azure_credential'])
    expect(paths({ azure: { azure_credential: true, credential_id: 'id', base_url: 'https://x.example' } })).to.deep.equal([
      'providers.azure.azure_credential',
    ])
  })

  it('keep what belongs to one family with that family', () => {
    expect(paths({ work: { ...workConnection, aws_region: 'eu' } })).to.deep.equal(['providers.work.aws_region'])
    expect(paths({ 'amazon-bedrock': { aws_region: 'eu', aws_profile: 'p' } })).to.deep.equal([])
    expect(paths({ 'amazon-bedrock': { aws_profile: 'p', api_key: 'k' } })).to.deep.equal(['providers.amazon-bedrock.aws_profile'])
    expect(paths({ groq: { azure_api_version: '1' } })).to.deep.equal(['providers.groq.azure_api_version'])
    expect(paths({ azure: { azure_api_version: '1', base_url: 'https://x.example' } })).to.deep.equal([])
  })

  it('want an adapter and an address for a custom brand, no other adapter for a built-in one', () => {
    expect(paths({ house: {} })).to.deep.equal(['providers.house.adapter'])
    expect(paths({ house: { adapter: 'openai' } })).to.deep.equal(['providers.house.base_url'])
    expect(paths({ house: { adapter: 'adapter_zeta' } })).to.deep.equal([])
    expect(paths({ azure: {} })).to.deep.equal(['providers.azure.base_url'])
    expect(paths({ groq: { adapter: 'adapter_beta' } })).to.deep.equal(['providers.groq.adapter'])
    expect(paths({ mine: { provider: 'gemini', adapter: 'adapter_alpha' } })).to.deep.equal(['providers.mine.adapter'])
    expect(paths({ groq: { adapter: 'openai' } })).to.deep.equal([])
  })

  it('take an adapter of a plugin with a warning', () => {
    expect(findings({ demo: { adapter: 'adapter_scripted' } }, primary({ provider: 'demo', api: 'script', anything: 1 }))).to.have.length(1)
    expect(warnings({ demo: { adapter: 'adapter_scripted' } }, primary({ provider: 'demo' }))).to.deep.equal(['providers.demo.adapter'])
  })

  it('warn of connections without any group', () => {
    expect(warnings({ work: workConnection })).to.deep.equal(['models'])
  })
})

describe('rules of models', () => {
  const providers = { work: workConnection }

  it('want a connection that is configured or discovered, in fallbacks too', () => {
    expect(paths({}, primary({ provider: 'groq' }))).to.deep.equal(['models.primary.provider'])
    expect(paths({}, primary({ provider: 'groq' }), ['GROQ_API_KEY'])).to.deep.equal([])
    expect(paths({}, primary({ provider: 'gemini' }), ['GOOGLE_API_KEY'])).to.deep.equal([])
    expect(paths({ google: { api_key: 'k' } }, primary({ provider: 'gemini' }))).to.deep.equal([])
    const nested = { provider: 'work', model: 'm', fallbacks: [{ provider: 'gone', model: 'm' }] }
    expect(problems(providers, primary({ fallbacks: [nested] }))[0]).to.deep.include({
      path: 'models.primary.fallbacks[0].fallbacks[0].provider',
    })
    expect(problems(providers, primary({ provider: 'wrok' }))[0]?.message).to.contain('known are work')
  })

  it('want a protocol that the connection speaks', () => {
    expect(paths(providers, primary({ api: 'anthropic-messages' }))).to.deep.equal(['models.primary.api'])
    for (const api of ['completions', 'chat_completions', 'openai-chat-completions', 'responses'])
      expect(paths(providers, primary({ api }))).to.deep.equal([])
    expect(paths({ azure: { base_url: 'https://x.example' } }, primary({ provider: 'azure', api: 'responses' }))).to.deep.equal([
      'models.primary.api',
    ])
    expect(paths({ ollama: {} }, primary({ provider: 'ollama', api: 'adapter_zeta' }))).to.deep.equal([])
  })

  it('refuse typed settings that the protocol, or the brand, does not take', () => {
    expect(paths(providers, primary({ seed: 1, min_p: 0.1, stop: [] }))).to.deep.equal([])
    expect(paths(providers, primary({ top_k: 1 }))).to.deep.equal(['models.primary.top_k'])
    const openai = { openai: { api_key: 'k' } }
    expect(paths(openai, primary({ provider: 'openai', top_p: 0.5, seed: 1 }))).to.deep.equal(['models.primary.seed'])
    expect(paths(openai, primary({ provider: 'openai', seed: 1, api: 'completions' }))).to.deep.equal([])
    expect(paths({ mistral: { api_key: 'k' } }, primary({ provider: 'mistral', top_p: 0.5, temperature: 0.5 }))).to.deep.equal([
      'models.primary.top_p',
    ])
  })

  it('refuse extra parameters that the service owns', () => {
    expect(paths(providers, primary({ extra_params: { messages: [], user: 'x', stream: null } }))).to.deep.equal([
      'models.primary.extra_params.messages',
      'models.primary.extra_params.stream',
    ])
  })

  it('warn of two limits', () => {
    expect(warnings(providers, primary({ max_tokens: 1, max_completion_tokens: 2 }))).to.deep.equal([
      'models.primary.max_completion_tokens',
    ])
  })
})
