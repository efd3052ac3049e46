import { expect } from 'chai'
import { type ClientsKernel, startClientsKernel } from './clients/support/clients-kernel.js'
import { sendRaw, type WireRequest } from './support/raw-client.js'

const hello = JSON.stringify({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })

describe('base URLs as people enter them', () => {
  let service: ClientsKernel
  before(async () => {
    service = await startClientsKernel()
  })
  after(() => service?.close())

  const send = (method: string, path: string, options: WireRequest = {}) =>
    sendRaw(service.kernel.url, path, {
      method,
      ...options,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json', ...options.headers },
    })

  it('with a slash too many, or with /v1 twice, mean the same', async () => {
    for (const path of ['//v1/models', '/v1//models', '/v1/models/', '///v1///models//', '/v1/v1/models', '/v1/v1//models?after=x']) {
      const answer = await send('GET', path)
      expect(answer.status, path).to.equal(200)
      expect(JSON.parse(answer.text).data, path).to.be.an('array').and.not.have.length(0)
      expect((await send('HEAD', path)).status, path).to.equal(200)
      expect((await send('OPTIONS', path)).status, path).to.equal(204)
    }
    for (const path of ['/v1//chat/completions', '/v1/chat/completions/', '/v1/v1/chat/completions', '//v1/chat//completions'])
      expect((await send('POST', path, { body: hello })).status, path).to.equal(200)
    expect((await send('GET', '/v1//models//agent/talker/')).text).to.contain('"id":"agent/talker"')
  })

  it('are mended below /v1 alone, and nothing gets past a check by them', async () => {
    for (const path of [
      '/api//chats',
      '//api/chats',
      '//healthz',
      '/v1/..//api/chats',
      '/v1//%2e%2e/api/chats',
      '/v1//..%2fapi',
      'http://x//v1/models',
    ])
      expect((await send('GET', path)).status, path).to.equal(400)
    expect((await send('GET', '/api/chats/')).status).to.equal(404)
    const anonymous = { headers: { authorization: 'Bearer nobody' } }
    for (const path of ['//v1/models', '/v1//models', '/v1/v1/models', '/v1/models/'])
      expect((await send('GET', path, anonymous)).status, path).to.equal(401)
    expect((await send('GET', '//v1//api/auth/login')).error?.code).to.equal('not_found')
  })

  it('are mended before a retry is recognised', async () => {
    service.upstream.script(() => ({ text: 'Once.' }))
    const headers = { 'idempotency-key': 'a-base-url' }
    for (const path of ['/v1//chat/completions', '/v1/chat/completions', '/v1/v1/chat/completions/'])
      expect((await send('POST', path, { body: hello, headers })).status, path).to.equal(200)
    expect(service.upstream.requests).to.have.length(1)
  })

  it('take the id of a model as it is, encoded or not', async () => {
    for (const id of ['agent/talker', 'agent%2Ftalker', 'agent%2ftalker', 'primary'])
      expect((await send('GET', `/v1/models/${id}`)).status, id).to.equal(200)
    for (const id of ['meta-llama/llama-3.3:free', 'llama3:8b', 'llama3%3A8b', 'agent/nobody']) {
      const answer = await send('GET', `/v1/models/${id}`)
      expect([answer.status, answer.error?.code], id).to.deep.equal([404, 'model_not_found'])
    }
    expect((await send('GET', '/v1/models/a/b/c')).error?.message).to.contain('%2F')
  })

  for (const [method, path, words] of [
    ['GET', '/v1', /\/v1\/models/],
    ['GET', '/v1/', /\/v1\/models/],
    ['POST', '/chat/completions', /base URL .*\/v1/],
    ['POST', '//chat/completions', /base URL .*\/v1/],
    ['POST', '/chat/completions/', /base URL .*\/v1/],
    ['GET', '/models', /base URL .*\/v1/],
    ['POST', '/responses', /base URL .*\/v1/],
    ['POST', '/embeddings', /base URL .*\/v1/],
    ['POST', '/api/v1/chat/completions', /base URL .*\/v1/],
    ['GET', '/api/v1/models', /base URL .*\/v1/],
    ['POST', '/api/chat/completions', /base URL .*\/v1/],
    ['POST', '/openai/v1/responses', /base URL .*\/v1/],
    ['POST', '/openai/deployments/primary/chat/completions?api-version=2024-10-21', /Azure.*base URL .*\/v1/],
    ['POST', '/v1/openai/deployments/primary/chat/completions?api-version=2024-10-21', /Azure/],
    ['POST', '/v1/completions', /\/v1\/chat\/completions/],
    ['POST', '/v1/engines/primary/completions', /\/v1\/chat\/completions/],
    ['POST', '/v1/chat/completions/chat/completions', /base URL/],
    ['POST', '/v1/api/chat', /base URL/],
    ['POST', '/v1/messages', /Anthropic/],
    ['POST', '/api/chat', /Ollama/],
    ['GET', '/api/tags', /Ollama/],
    ['GET', '/V1/models', /base URL/],
    ['GET', '/v1/responses/resp_1', /not stored/],
    ['POST', '/v1/responses/compact', /not compacted/],
    ['POST', '/v1/responses/input_tokens', /not counted/],
    ['POST', '/v1%20/chat/completions', /blank.*base URL .*\/v1/],
    ['GET', '/v1%20%20/models', /blank.*base URL .*\/v1/],
    ['GET', '/v1%20', /blank.*base URL .*\/v1/],
    ['GET', '/v1%0A/models', /blank.*base URL .*\/v1/],
    ['GET', '/v1%C2%A0/models', /blank.*base URL .*\/v1/],
    ['GET', '/%20/v1/models', /blank.*base URL .*\/v1/],
    ['POST', '/v1/chat/completions%20', /blank.*base URL .*\/v1/],
    ['POST', '/v1/%20/responses', /blank.*base URL .*\/v1/],
  ] as const) {
    it(`that do not fit say what to change: ${method} ${path}`, async () => {
      const answer = await send(method, path, method === 'POST' ? { body: hello } : {})
      expect(answer.status).to.equal(path.startsWith('//') || path.includes('%0A') ? 400 : 404)
      expect(answer.error?.message).to.match(words)
      expect(answer.headers['x-should-retry']).to.equal('false')
      for (const other of ['HEAD', 'OPTIONS']) expect((await send(other, path)).status).to.equal(answer.status)
    })
  }

  it('are looked for at no path that the service has: errors below its paths stay as they were', async () => {
    const { paths } = JSON.parse((await send('GET', '/api/openapi.json')).text) as { readonly paths: object }
    const others = Object.keys(paths).filter((path) => !path.startsWith('/v1'))
    expect(others).to.include('/api/models').and.have.length.above(100)
    for (const path of others.map((each) => each.replaceAll(/\{[^}]+\}/g, 'x')))
      for (const wrong of [`${path}/more/and/more`, path.replace('/api/', '/api//')]) {
        const answer = await send('GET', wrong)
        if (answer.status >= 400) expect(answer.error, wrong).to.equal(undefined)
      }
  })

  it('elsewhere are problems alone, as before', async () => {
    for (const path of ['/api/unknown', '/v10/models', '/v1%20x/models', '/%20', '/unknown', '/chats/completions'])
      expect((await send('GET', path)).error, path).to.equal(undefined)
  })
})
