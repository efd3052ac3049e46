import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { answer, createScriptedAdapter, groupOf } from './test-support/fakes.js'
import { infer, startPlugin } from './test-support/start-plugin.js'

describe('connections found in the environment', () => {
  const adapter = () => createScriptedAdapter([answer])

  it('become primary, with the default model of the first brand, if nothing is configured', async () => {
    const one = adapter()
    const { inference } = await startPlugin({
      environment: { MISTRAL_API_KEY: 'key-of-mistral', GROQ_API_KEY: 'key-of-groq' },
      adapters: [one],
    })
    expect(inference.groups()).to.deep.equal([{ name: 'primary', provider: 'groq', model: 'openai/gpt-oss-120b', context_window: 131_072 }])
    await infer(inference)
    expect(one.requests[0]?.connection).to.deep.include({
      handle: 'groq',
      baseUrl: 'https://api.groq.com/openai/v1',
      apiKey: 'key-of-groq',
    })
  })

  it('are ignored if their variable is blank', async () => {
    const { inference } = await startPlugin({ environment: { GROQ_API_KEY: '  ' } })
    expect(inference.groups()).to.deep.equal([])
    expect(((await infer(inference)).error as Error).message).to.contain('OPENAI_API_KEY')
  })

  it('do not become a group once a connection or group is configured, but groups may name them', async () => {
    const environment = { GROQ_API_KEY: 'key-of-groq' }
    expect((await startPlugin({ environment, providers: { ollama: { enabled: true } } })).inference.groups()).to.deep.equal([])
    const { inference } = await startPlugin({
      environment,
      models: { fast: groupOf({ provider: 'groq', model: 'x' }) },
      adapters: [adapter()],
    })
    expect(inference.groups().map(({ name }) => name)).to.deep.equal(['fast'])
    expect((await infer(inference, { group: 'fast' })).error).to.equal(undefined)
  })

  it('are not created for a brand whose handle, or legacy handle, is configured', async () => {
    const environment = { TOGETHER_API_KEY: 'from-environment', MY_KEY: 'from-file' }
    const one = adapter()
    const { inference } = await startPlugin({
      environment,
      providers: { together: { api_key: '${MY_KEY}', enabled: true } },
      models: { primary: groupOf({ provider: 'togetherai' }) },
      adapters: [one],
    })
    await infer(inference)
    expect(one.requests[0]?.connection).to.deep.include({ handle: 'together', brand: 'togetherai', apiKey: 'from-file' })
  })

  it('are found under the legacy spelling of their brand', async () => {
    const { inference } = await startPlugin({
      environment: { GEMINI_API_KEY: 'x-key-x' },
      models: { primary: groupOf({ provider: 'gemini' }) },
    })
    expect(((await infer(inference)).error as Error).message).to.contain('adapter_gamma')
  })

  it('may have an address instead of a key', async () => {
    const { inference } = await startPlugin({ environment: { OLLAMA_API_BASE_URL: 'http://localhost:11434' } })
    expect(inference.groups()[0]).to.include({ provider: 'ollama' })
  })
})

describe('model groups', () => {
  it('have the configured context window, else that of the catalogue, else 128000', async () => {
    const { inference, route } = await startPlugin({
      environment: { OPENAI_API_KEY: 'key-of-openai' },
      models: {
        one: groupOf({ provider: 'openai', model: 'gpt-4o', context_window: 5, max_tokens: 3 }),
        two: groupOf({ provider: 'openai', model: 'gpt-4o-mini' }),
        three: groupOf({ provider: 'openai', model: 'unheard-of' }),
      },
    })
    const groups = [
      { name: 'one', provider: 'openai', model: 'gpt-4o', context_window: 5, max_tokens: 3 },
      { name: 'two', provider: 'openai', model: 'gpt-4o-mini', context_window: 128_000 },
      { name: 'three', provider: 'openai', model: 'unheard-of', context_window: 128_000 },
    ]
    expect(inference.groups()).to.deep.equal(groups)
    expect(route).to.include({ method: 'GET', path: '/api/models', auth: 'user' })
    const { status, json } = (await route.handle({ query: {} } as Parameters<typeof route.handle>[0])) as unknown as {
      readonly status: number
      readonly json: { readonly items: readonly object[]; readonly next_cursor: null }
    }
    expect([status, json.next_cursor]).to.deep.equal([200, null])
    expect(json.items).to.have.length(groups.length)
    for (const [index, group] of groups.entries()) expect(json.items[index]).to.deep.include(group)
  })

  it('of a cloud tenant get its header, path and version', async () => {
    const one = createScriptedAdapter([answer])
    const azure = { base_url: 'https://mine.openai.azure.example', api_key: 'key-of-azure', enabled: true }
    const { inference } = await startPlugin({
      environment: {},
      providers: { azure },
      models: { primary: groupOf({ provider: 'azure' }) },
      adapters: [one],
    })
    expect((await infer(inference)).error).to.equal(undefined)
    expect(one.requests[0]?.connection.quirks).to.deep.include({ auth: 'api-key', query: { 'api-version': '2024-10-21' } })
  })
})

describe('primary of a first-party key', () => {
  const environment = { OPENAI_API_KEY: 'key-of-openai' }
  const protocol = (id: string) => ({ id, aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] })

  it('uses completions while no adapter speaks the default protocol, and warns once', async () => {
    const one = createScriptedAdapter([answer])
    const { inference, lines } = await startPlugin({ environment, adapters: [one] })
    expect(inference.groups()).to.deep.equal([{ name: 'primary', provider: 'openai', model: 'gpt-5', context_window: 400_000 }])
    for (const group of ['primary', 'primary', 'no-such-group']) expect((await infer(inference, { group })).error).to.equal(undefined)
    expect(one.requests.map((request) => request.protocol)).to.deep.equal(['completions', 'completions', 'completions'])
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings).to.have.length(1)
    expect(warnings[0]?.message).to.contain('completions').and.contain('responses').and.contain('openai')
  })

  it('uses the default protocol as soon as an adapter speaks it', async () => {
    const one = createScriptedAdapter([answer], { protocols: [protocol('completions'), protocol('responses')] })
    const { inference, lines } = await startPlugin({ environment, adapters: [one] })
    expect((await infer(inference)).error).to.equal(undefined)
    expect(one.requests[0]?.protocol).to.equal('responses')
    expect(lines).to.deep.equal([])
  })

  it('never uses a protocol that its brand does not speak', async () => {
    const { inference } = await startPlugin({
      environment,
      adapters: [createScriptedAdapter([answer], { protocols: [protocol('other')] })],
    })
    expect((await infer(inference)).error).to.include({ code: 'model_group_unusable' })
  })

  it('does not affect a configured group, which is refused', async () => {
    const one = createScriptedAdapter([answer])
    const { inference } = await startPlugin({ environment, models: { primary: groupOf({ provider: 'openai' }) }, adapters: [one] })
    expect((await infer(inference)).error).to.include({ code: 'model_group_unusable' })
    expect(one.requests).to.have.length(0)
  })
})
