import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'

type Body = Readonly<Record<string, unknown>>

const secrets = {
  key: 'canary-of-the-configuration',
  variable: 'canary-of-a-variable',
  credential: 'canary-of-a-credential',
  cloud: 'canary-of-the-cloud',
}

/** A server that notes what it is sent. */
async function startEar(): Promise<{ readonly url: string; readonly heard: string[]; close(): void }> {
  const heard: string[] = []
  const server: Server = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('where the stored secret of a connection may go', function () {
  this.timeout(60_000)
  let own: Awaited<ReturnType<typeof startEar>>
  let foreign: Awaited<ReturnType<typeof startEar>>
  let kernel: TestKernel
  let admin: Api
  let token: string
  let credentialId: string

  before(async () => {
    own = await startEar()
    foreign = await startEar()
    kernel = await createTestKernel({
      environment: {
        GROQ_API_KEY: secrets.variable,
        AWS_BEARER_TOKEN_BEDROCK: secrets.cloud,
        AWS_REGION: 'eu-west-1',
        SERVICE_PROVIDERS: JSON.stringify({
          house: { provider: 'house', adapter: 'adapter_alpha', base_url: `${own.url}/v1`, api_key: secrets.key },
          cloud: { provider: 'amazon-bedrock', base_url: own.url },
          keyless: { provider: 'keyless', adapter: 'ollama', base_url: foreign.url },
        }),
      },
    })
    admin = await signUp(kernel.url, 'ada')
    const made = await admin.request('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write', 'admin'] })
    token = String(made.body['token'])
    const stored = await admin.request('POST', '/api/admin/credentials', { brand: 'other', label: 'Other', api_key: secrets.credential })
    credentialId = String(stored.body['id'])
  })
  beforeEach(() => {
    own.heard.length = 0
    foreign.heard.length = 0
  })
  after(async () => {
    await kernel.stop()
    own.close()
    foreign.close()
  })

  const routes = ['/api/admin/connections/test', '/api/admin/connections/models']
  const ask = async (path: string, body: Body, bearer: string): Promise<{ readonly status: number; readonly body: Body }> => {
    const answer = await fetch(`${kernel.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const drafts = (): Readonly<Record<string, Body>> => ({
    'the key of a connection': { handle: 'house', base_url: `${foreign.url}/v1` },
    'the key of a connection, to a host behind its own': { handle: 'house', base_url: `${own.url}@${new URL(foreign.url).host}/v1` },
    'the key of a connection, to its brand': { handle: 'house', provider: 'openai', adapter: undefined, base_url: foreign.url },
    'a variable that made a connection': { handle: 'groq', base_url: foreign.url },
    'a variable that made a connection, through another adapter': {
      handle: 'groq',
      provider: 'custom',
      adapter: 'adapter_beta',
      base_url: foreign.url,
    },
    'a managed credential': { provider: 'other', adapter: 'adapter_alpha', base_url: foreign.url, credential_id: credentialId },
    'a managed credential, for a connection of another key': {
      handle: 'house',
      provider: 'other',
      base_url: foreign.url,
      credential_id: credentialId.toUpperCase(),
    },
    'the key of a connection, to another brand at its own host': { handle: 'house', provider: 'another', adapter: 'adapter_beta' },
    'what the machine knows of the cloud, through a connection without a key': { handle: 'keyless', provider: 'amazon-bedrock' },
    'what the machine knows of the cloud, through its adapter': { handle: 'keyless', provider: 'custom', adapter: 'bedrock' },
    'what the machine knows of the cloud': { handle: 'cloud', base_url: foreign.url },
    'what the machine knows of the cloud, for a new connection': { provider: 'amazon-bedrock', base_url: foreign.url },
    'what the machine knows of the cloud, for a custom brand': { provider: 'custom', adapter: 'bedrock', base_url: foreign.url },
  })

  it('a token sends none to another origin, nor does a session before it is confirmed: nothing is asked there', async () => {
    for (const [what, draft] of Object.entries(drafts()))
      for (const path of routes) {
        const [script, session] = [await ask(path, draft, token), await ask(path, draft, admin.token)]
        expect([script.status, script.body['code']], what).to.deep.equal([403, 'session_required'])
        expect([session.status, session.body['code']], what).to.deep.equal([403, 'confirmation_required'])
      }
    expect([...own.heard, ...foreign.heard]).to.deep.equal([])
  })

  it('a draft resolves only the reference that its connection has, for a confirmed person too', async () => {
    await confirm(admin)
    const typed = { provider: 'other', adapter: 'adapter_alpha', base_url: foreign.url }
    for (const key of ['${GROQ_API_KEY}', 'Bearer-${GROQ_API_KEY}', '${HOME}', '${']) {
      for (const draft of [
        { ...typed, api_key: key },
        { handle: 'house', api_key: key },
      ])
        for (const path of routes) {
          const { status, body } = await ask(path, draft, admin.token)
          expect([status, (body['errors'] as readonly Body[])[0]?.['path']], key).to.deep.equal([422, '/api_key'])
        }
    }
    expect([...own.heard, ...foreign.heard]).to.deep.equal([])
    const groq = await ask(routes[1] ?? '', { handle: 'groq', api_key: '${GROQ_API_KEY}', base_url: foreign.url }, token)
    expect(groq.body['code']).to.equal('session_required')
  })

  it('a typed key does not hide a managed credential beside it', async () => {
    for (const path of routes)
      for (const more of [{}, { handle: 'house' }]) {
        const draft = {
          provider: 'other',
          adapter: 'adapter_alpha',
          base_url: foreign.url,
          credential_id: credentialId,
          api_key: 'x',
          ...more,
        }
        const { status, body } = await ask(path, draft, token)
        expect([status, (body['errors'] as readonly Body[])[0]?.['path']]).to.deep.equal([422, '/credential_id'])
      }
    expect(foreign.heard).to.deep.equal([])
  })

  it('a region is no part of another host', async () => {
    for (const region of ['x.example/', 'x@evil.example/', 'EU-WEST-1', '-', 'eu west'])
      expect((await ask(routes[1] ?? '', { provider: 'amazon-bedrock', aws_region: region }, token)).status, region).to.equal(422)
  })

  it('a token sends it where it was stored for, and a typed key anywhere', async () => {
    for (const path of routes) {
      expect((await ask(path, { handle: 'house', base_url: `${own.url}/another/path` }, token)).status).to.equal(200)
      expect(own.heard.join()).to.include(secrets.key)
      const typed = { provider: 'other', adapter: 'adapter_alpha', base_url: foreign.url, api_key: 'typed-by-hand' }
      expect((await ask(path, typed, token)).status).to.equal(200)
      expect((await ask(path, { handle: 'house', base_url: foreign.url, api_key: 'typed-by-hand' }, token)).status).to.equal(200)
    }
    expect(foreign.heard.join()).to.include('typed-by-hand').and.not.include('canary')
  })

  it('a confirmed person sends it elsewhere, with both addresses in the audit log', async () => {
    await confirm(admin)
    const path = routes[1] ?? ''
    expect((await ask(path, { handle: 'house', base_url: `${foreign.url}/v1` }, admin.token)).status).to.equal(200)
    expect(foreign.heard.join()).to.include(secrets.key)
    const { body } = await admin.request('GET', '/api/admin/audit?kind=connection.secret_redirected')
    const [entry] = body['items'] as readonly Body[]
    expect(entry).to.deep.include({
      subject_id: 'house',
      before: { addresses: [own.url] },
      after: { addresses: [foreign.url] },
    })
    expect(JSON.stringify(body)).to.not.include('canary')
  })
})
