import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ModelUpstream, startModelUpstream } from '../console/model-upstream.js'
import { type Api, confirm, signUp } from '../support/api.js'

type Body = Readonly<Record<string, unknown>>

describe('connections to providers, for administrators', function () {
  this.timeout(60_000)
  let upstream: ModelUpstream
  let kernel: TestKernel
  let ada: Api
  before(async () => {
    upstream = await startModelUpstream()
    const house = { provider: 'house', adapter: 'adapter_alpha', base_url: upstream.url, api_key: 'sk-right' }
    const target = (model: string, more: Body = {}) => ({ provider: 'house', model, api: 'completions', ...more })
    kernel = await createTestKernel({
      environment: {
        GROQ_API_KEY: 'gsk-of-the-environment',
        SERVICE_PROVIDERS: JSON.stringify({
          house,
          keyless: { ...house, api_key: '${MISSING_KEY}' },
          off: { ...house, enabled: false },
        }),
        SERVICE_MODELS: JSON.stringify({
          primary: target('house-large', { fallbacks: [target('gone'), { ...target('house-small'), provider: 'keyless' }] }),
        }),
      },
    })
    ada = await signUp(kernel.url, 'ada')
  })
  beforeEach(() => {
    upstream.mood = 'works'
  })
  after(async () => {
    await kernel.stop()
    await upstream.close()
  })

  const draft = (more: Body = {}): Body => ({
    provider: 'other',
    adapter: 'adapter_alpha',
    base_url: upstream.url,
    api_key: 'sk-right',
    ...more,
  })
  const test = async (body: Body): Promise<Body> => {
    const answer = await ada.request('POST', '/api/admin/connections/test', body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body
  }

  it('are listed with their state, where their key is, and the groups that call them', async () => {
    const { body } = await ada.request('GET', '/api/admin/connections')
    const items = body['items'] as readonly (Body & { readonly handle: string })[]
    const of = (handle: string) => items.find((item) => item.handle === handle)
    expect(of('house')).to.deep.include({
      state: 'ready',
      key: 'configured',
      discovered: false,
      base_url: upstream.url,
      groups: ['primary'],
    })
    expect(of('keyless')).to.deep.include({ state: 'key_missing', key: 'variable', variable: 'MISSING_KEY', groups: ['primary'] })
    expect(of('off')).to.deep.include({ state: 'disabled', groups: [] })
    expect(of('groq')).to.deep.include({ discovered: true, key: 'variable', variable: 'GROQ_API_KEY', state: 'ready' })
    expect(JSON.stringify(body)).not.to.match(/sk-right|gsk-of/)
    const adapters = (await ada.request('GET', '/api/admin/connections/adapters')).body['items'] as readonly Body[]
    expect(adapters.find(({ id }) => id === 'adapter_alpha')).to.deep.include({ lists_models: true, requires_base_url: true })
  })

  it('are tested before they are saved, with the reason of each usual failure', async () => {
    expect(await test(draft({ api: 'completions' }))).to.deep.include({ ok: true, failure: null, model: 'house-small' })
    expect(await test(draft({ api: 'completions', model: 'house-large' }))).to.deep.include({ ok: true, model: 'house-large' })
    const refused = await test(draft({ api_key: 'sk-wrong-and-secret' }))
    expect(refused).to.deep.include({ ok: false, failure: 'authentication' })
    expect(await test(draft({ base_url: 'http://127.0.0.1:1/v1' }))).to.deep.include({ ok: false, failure: 'transport' })
    expect(await test(draft({ api: 'completions', model: 'gone' }))).to.deep.include({
      ok: false,
      failure: 'model_not_found',
      model: 'gone',
    })
    upstream.mood = 'no_models'
    expect(await test(draft())).to.deep.include({ ok: false, failure: 'no_models' })
    upstream.mood = 'not_an_api'
    expect(await test(draft())).to.deep.include({ ok: false, failure: 'wrong_address' })
    upstream.mood = 'hangs'
    expect(await test(draft())).to.deep.include({ ok: false, failure: 'timeout' })
    expect(JSON.stringify(kernel.log)).not.to.include('sk-wrong-and-secret')
    expect(JSON.stringify(refused)).not.to.include('sk-wrong-and-secret')
  })

  it('are tested as they run, and with another key', async () => {
    expect(await test({ handle: 'house', api: 'completions' })).to.deep.include({ ok: true })
    expect(await test({ handle: 'house', api_key: 'sk-other' })).to.deep.include({ failure: 'authentication' })
    expect(await test({ handle: 'keyless' })).to.deep.include({ failure: 'key_missing' })
  })

  it('are refused as drafts that lack what they need, by the member', async () => {
    const problems = async (body: Body): Promise<unknown> => {
      const answer = await ada.request('POST', '/api/admin/connections/test', body)
      expect(answer.status).to.equal(422)
      return (answer.body['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)
    }
    expect(await problems({})).to.deep.equal(['/provider'])
    expect(await problems({ handle: 'none' })).to.deep.equal(['/handle'])
    expect(await problems({ provider: 'other' })).to.deep.equal(['/adapter'])
    expect(await problems({ provider: 'other', adapter: 'adapter_alpha' })).to.deep.equal(['/base_url'])
    expect(await problems({ provider: 'azure', api_key: 'x' })).to.deep.equal(['/base_url'])
  })

  it('are not for others', async () => {
    const bob = await signUp(kernel.url, 'bob')
    for (const [method, path] of [
      ['GET', '/api/admin/connections'],
      ['POST', '/api/admin/connections/test'],
      ['POST', '/api/admin/connections/models'],
      ['POST', '/api/admin/model-groups/primary/test'],
    ] as const)
      expect((await bob.request(method, path, method === 'POST' ? draft() : undefined)).status, path).to.equal(403)
  })

  it('test every model of a group once, fallbacks too, and note it', async () => {
    const { status, body } = await ada.request('POST', '/api/admin/model-groups/primary/test')
    expect(status).to.equal(200)
    expect(body['ok']).to.equal(true)
    expect((body['targets'] as readonly Body[]).map(({ model, ok, failure, fallback }) => [model, ok, failure, fallback])).to.deep.equal([
      ['house-large', true, null, 0],
      ['gone', false, 'model_not_found', 1],
      ['house-small', false, 'key_missing', 2],
    ])
    const { body: audit } = await ada.request('GET', '/api/admin/audit?kind=model_group.tested')
    expect((audit['items'] as readonly Body[])[0]).to.deep.include({
      subject_id: 'primary',
      details: { plugin: 'feature-inference', ok: true, models: 3 },
    })
    expect((await ada.request('POST', '/api/admin/model-groups/none/test')).status).to.equal(404)
  })

  it('have keys that can be replaced, and are tested anew then', async () => {
    const made = await ada.request('POST', '/api/admin/credentials', { brand: 'other', label: 'Other', api_key: 'sk-first' })
    const path = `/api/admin/credentials/${String(made.body['id'])}`
    const request = draft({ api_key: undefined, credential_id: made.body['id'], api: 'completions' })
    await confirm(ada)
    expect(await test(request)).to.deep.include({ failure: 'authentication' })
    const changed = await ada.request('PATCH', path, { api_key: 'sk-right' })
    expect(changed.status).to.equal(200)
    expect(changed.body).to.deep.include({ label: 'Other', checked_at: null })
    expect(JSON.stringify(changed.body)).not.to.include('sk-right')
    expect(await test(request)).to.deep.include({ ok: true })
    const { body: audit } = await ada.request('GET', '/api/admin/audit?kind=credential.replaced')
    expect(audit['items']).to.have.length(1)
  })
})

describe('the models that providers list', () => {
  let server: Server
  let kernel: TestKernel
  let ada: Api
  const seen: string[] = []
  /** By path, as the vendors answer. */
  const answers: Readonly<Record<string, unknown>> = {
    '/openai/models': [{ id: 'a', context_length: 1_000 }, { id: 'a' }, { object: 'model' }, { id: 'b', type: 'embedding' }],
    '/anthropic/v1/models': { data: [{ id: 'claude-house', display_name: 'Claude of the House', type: 'model' }], has_more: false },
    '/ollama/api/tags': { models: [{ name: 'llama:8b', model: 'llama:8b' }] },
    '/router/models': {
      data: [
        { id: 'with', supported_parameters: ['tools', 'temperature'] },
        { id: 'without', supported_parameters: ['temperature'] },
        { id: 'ministral', capabilities: { completion_chat: true, function_calling: false } },
      ],
    },
    '/gemini/v1beta/models': {
      models: [
        {
          name: 'models/g-1',
          displayName: 'G One',
          inputTokenLimit: 10,
          outputTokenLimit: 5,
          supportedGenerationMethods: ['generateContent'],
        },
        { name: 'models/g-e', supportedGenerationMethods: ['embedContent'] },
      ],
    },
  }
  before(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      seen.push(
        `${request.method} ${request.url} ${String(request.headers.authorization ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'])}`,
      )
      response.writeHead(answers[pathname] === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answers[pathname] ?? { error: { message: 'Not found.' } }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    kernel = await createTestKernel()
    ada = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await kernel.stop()
    server.closeAllConnections()
    server.close()
  })
  const modelsOf = async (adapter: string, path: string, more: Body = {}): Promise<Body> => {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const { body } = await ada.request('POST', '/api/admin/connections/models', {
      provider: 'house',
      adapter,
      base_url,
      api_key: 'key',
      ...more,
    })
    return body
  }
  const brief = ({ models }: Body): unknown =>
    (models as readonly Body[]).map(({ id, name, context_window, answers: does }) => [id, name, context_window, does])

  it('are read in the format of each family', async () => {
    expect(brief(await modelsOf('adapter_alpha', '/openai'))).to.deep.equal([
      ['a', null, 1_000, null],
      ['b', null, null, false],
    ])
    expect(brief(await modelsOf('adapter_beta', '/anthropic/v1'))).to.deep.equal([['claude-house', 'Claude of the House', null, null]])
    expect(brief(await modelsOf('adapter_zeta', '/ollama'))).to.deep.equal([['llama:8b', null, null, null]])
    expect(brief(await modelsOf('adapter_gamma', '/gemini'))).to.deep.equal([
      ['g-1', 'G One', 10, true],
      ['g-e', null, null, false],
    ])
    expect(seen).to.deep.equal([
      'GET /openai/models Bearer key',
      'GET /anthropic/v1/models?limit=1000 key',
      'GET /ollama/api/tags Bearer key',
      'POST /ollama/api/show Bearer key',
      'GET /gemini/v1beta/models?pageSize=1000 key',
    ])
  })

  it('say whether they take tools, where the list does', async () => {
    const { models } = await modelsOf('adapter_alpha', '/router')
    expect((models as readonly Body[]).map(({ id, tools }) => [id, tools])).to.deep.equal([
      ['with', true],
      ['without', false],
      ['ministral', false],
    ])
  })

  it('come from the catalogue for a brand whose adapter lists none, with what it knows of them', async () => {
    const { body } = await ada.request('POST', '/api/admin/connections/models', { provider: 'cohere', api_key: 'key' })
    expect(body).to.deep.include({ ok: true, source: 'catalogue' })
    const [first] = body['models'] as readonly Body[]
    expect(first?.['context_window']).to.be.a('number')
  })

  it('are not guessed where something else answers', async () => {
    expect(await modelsOf('adapter_alpha', '/nowhere')).to.deep.include({ ok: false, failure: 'wrong_address', models: [] })
  })
})
