import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createBrowser } from '../sso/support/browser.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'

type Json = Readonly<Record<string, unknown>>

interface Listener {
  readonly url: string
  readonly heard: string[]
  close(): Promise<void>
}

/** Notes all that it is sent. `answer`: to a request of this path; else it says nothing of interest. */
async function startListener(
  answer: (path: string) => { readonly status: number; readonly headers?: Json; readonly body?: Json },
): Promise<Listener> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      const target = request.url ?? ''
      heard.push([request.method, target, JSON.stringify(request.rawHeaders), body].join(' '))
      const { status, headers = {}, body: said = {} } = answer(target)
      response.writeHead(status, { 'content-type': 'application/json', ...(headers as Record<string, string>) }).end(JSON.stringify(said))
    })
  })
  server.on('upgrade', (request, socket) => {
    heard.push([request.method, request.url, JSON.stringify(request.rawHeaders)].join(' '))
    const { status, headers = {} } = answer(request.url ?? '')
    socket.end(`HTTP/1.1 ${status} Elsewhere\r\nLocation: ${String(headers['location'])}\r\nContent-Length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const secrets = {
  provider: 'canary-of-a-provider-4711',
  aws: 'canary-of-aws-4711',
  sso: 'canary-of-single-sign-on-4711',
  vault: 'canary-of-a-vault-4711',
  browser: 'canary-of-the-browser-4711',
  traces: 'canary-of-the-collector-4711',
  webhook: 'canary-of-a-webhook-4711',
  password: 'canary-of-a-password-4711',
  token: 'svc_pat_canary-of-a-token-4711',
}

/** CVE-2026-54030: a key followed a redirect to an address for which it was not stored. */
describe('secrets, at an address that redirects to another origin', function () {
  this.timeout(60_000)
  let trap: Listener
  let hop: Listener
  let kernel: TestKernel
  let admin: Api
  let groups: readonly string[]
  let status = 302

  before(async () => {
    trap = await startListener(() => ({ status: 200 }))
    const provider = () => hop.url
    hop = await startListener((target) => {
      if (target === '/api/version') return { status: 200, body: { version: '0.1.0' } }
      if (target === '/.well-known/openid-configuration')
        return {
          status: 200,
          body: {
            ...{ issuer: provider(), authorization_endpoint: `${provider()}/authorize`, token_endpoint: `${provider()}/token` },
            ...{ jwks_uri: `${provider()}/jwks`, userinfo_endpoint: `${provider()}/userinfo`, response_types_supported: ['code'] },
            ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
            token_endpoint_auth_methods_supported: ['client_secret_post'],
          },
        }
      return { status, headers: { location: `${trap.url.replace('127.0.0.1', 'localhost')}${target}` } }
    })
    const known = await createTestKernel()
    const adapters = (await (await signUp(known.url, 'ada')).request('GET', '/api/admin/connections/adapters')).body['items']
    await known.stop()
    const named = adapters as readonly { readonly id: string; readonly protocols: readonly string[] }[]
    groups = named.map(({ id }) => id.replace('adapter_', ''))
    const connections = named.map(({ id, protocols: [api] }) => {
      const key = id === 'adapter_delta' ? { aws_region: 'eu-west-1' } : { api_key: secrets.provider }
      return {
        name: id.replace('adapter_', ''),
        connection: { provider: id === 'adapter_delta' ? 'amazon-bedrock' : 'custom', adapter: id, base_url: hop.url, ...key },
        api,
      }
    })
    const entries = (of: (each: (typeof connections)[number]) => Json): string =>
      JSON.stringify(Object.fromEntries(connections.map((each) => [each.name, of(each)])))
    // The library reads it there.
    process.env['OTEL_EXPORTER_OTLP_HEADERS'] = `x-collector-key=${secrets.traces}`
    kernel = await createTestKernel({
      environment: {
        SERVICE_PROVIDERS: entries(({ connection }) => connection),
        SERVICE_MODELS: entries(({ name, api }) => ({ provider: name, model: 'm', api: api ?? '', retry: { max_retries: 0 } })),
        AWS_BEARER_TOKEN_BEDROCK: secrets.aws,
        SERVICE_SSO_ENABLED: 'true',
        SERVICE_SSO_AUTHORITY: hop.url,
        SERVICE_SSO_CLIENT_ID: 'service',
        SERVICE_SSO_CLIENT_SECRET: secrets.sso,
        SERVICE_VAULT_VAULTTHREE_ADDRESS: hop.url,
        SERVICE_VAULT_VAULTTHREE_TOKEN: secrets.vault,
        SERVICE_BROWSER_WS_URL: hop.url.replace('http', 'ws'),
        SERVICE_BROWSER_API_TOKEN: secrets.browser,
        SERVICE_TELEMETRY_OTLP_URL: hop.url,
      },
    })
    admin = await signUp(kernel.url, 'ada')
    await confirm(admin)
  })
  after(async () => {
    delete process.env['OTEL_EXPORTER_OTLP_HEADERS']
    await kernel?.stop()
    await hop?.close()
    await trap?.close()
  })

  it('stay there: of models, vaults, the browser, webhooks and traces nothing follows', async () => {
    const vaults = (await admin.request('GET', '/api/admin/vaults')).body['items'] as readonly { readonly id: string }[]
    expect(vaults).to.have.length(1)
    for (status of [301, 302, 303, 307, 308]) {
      const calls = groups.flatMap((name) => [
        admin.request('POST', '/api/admin/connections/test', { handle: name, model: 'm' }),
        admin.request('POST', '/api/admin/connections/models', { handle: name }),
        admin.request('POST', `/api/admin/model-groups/${name}/test`),
        admin.request('POST', '/v1/chat/completions', { model: name, messages: [{ role: 'user', content: 'Hi' }] }),
        admin.request('POST', '/v1/embeddings', { model: name, input: 'Hi' }),
      ])
      const others = [
        ...vaults.map(({ id }) => admin.request('POST', `/api/admin/vaults/${id}/sync`)),
        admin.request('POST', '/api/admin/browser/test'),
        admin.request('POST', '/api/admin/channels/connections', {
          channel: 'webhook',
          title: `Town ${status}`,
          members: { url: `${hop.url}/hook/${status}`, secret: 'x'.repeat(32), token: secrets.webhook },
        }),
      ]
      for (const answer of await Promise.all([...calls, ...others])) expect(answer.status, JSON.stringify(answer.body)).to.be.below(500)
    }
    for (const name of ['provider', 'aws', 'vault', 'browser', 'webhook'] as const) expect(hop.heard.join(), name).to.include(secrets[name])
    expect(trap.heard).to.deep.equal([])
  })

  it('stay there: of single sign-on nothing follows, neither the secret of the client nor the code of a person', async () => {
    const url = kernel.url.replace('127.0.0.1', 'localhost')
    for (status of [301, 302, 303, 307, 308]) {
      const browser = createBrowser()
      const page = await browser.open(`${url}/api/auth/sso/login`, (at) => at.pathname === '/authorize')
      const back = new URL(page.url.searchParams.get('redirect_uri') ?? '')
      const state = page.url.searchParams.get('state') ?? ''
      back.search = new URLSearchParams({ code: `code-${status}`, state, iss: hop.url }).toString()
      expect((await browser.open(back.href)).status).to.be.within(400, 599)
      expect(hop.heard.join()).to.include(`code-${status}`)
    }
    expect(hop.heard.join()).to.include(secrets.sso)
    expect(trap.heard).to.deep.equal([])
  })

  it('stay there: of connections of people nothing is kept when their address changes, so all has to be typed again', async () => {
    const tried: string[] = []
    for (const [list, make] of [
      ['/api/channels?limit=200', '/api/channels/connections'],
      ['/api/vaults/connectors?limit=200', '/api/vaults'],
    ] as const)
      for (const { id, connection } of (await admin.request('GET', list)).body['items'] as readonly Connectable[]) {
        const { required = [], properties } = connection
        const isSecret = (name: string): boolean => properties[name]?.['x-secret'] === true
        const secret = required.filter(isSecret)
        const addresses = Object.keys(properties).filter((name) => /url$|host$|^address$/.test(name))
        // The addresses of the others are fixed.
        if (secret.length === 0 || addresses.length === 0) continue
        const kind = make === '/api/vaults' ? { connector: id } : { channel: id }
        const members = Object.fromEntries([...required, ...addresses].map((name) => [name, memberFor(name, properties[name])]))
        const made = await admin.request('POST', make, { ...kind, title: id, members })
        expect(made.status, `${id}: ${JSON.stringify(made.body)}`).to.equal(201)
        expect(JSON.stringify(made.body)).to.not.include('canary')
        const open = Object.fromEntries(
          Object.keys(properties).flatMap((name) => (isSecret(name) ? [] : [[name, memberFor(name, properties[name])]])),
        )
        const changed = await admin.request('PATCH', `${make}/${String(made.body['id'])}`, { members: open })
        expect(changed.status, `${id}: ${JSON.stringify(changed.body)}`).to.equal(422)
        for (const name of secret) expect(JSON.stringify(changed.body['errors'] ?? changed.body), id).to.include(name)
        tried.push(id)
      }
    expect(tried).to.include.members(['email', 'webhook', 'bitwarden', 'kv2'])
    expect(trap.heard).to.deep.equal([])
  })

  it('stay there: the command line sends passwords and tokens to the address that it was given', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-redirected-'))
    const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: secrets.password }
    try {
      for (status of [307, 308])
        for (const environment of [person, { AGENT_SERVICE_TOKEN: secrets.token }]) {
          const command = runCommand(folder, ['tokens', 'list', '--url', hop.url], environment)
          expect(await command.ended).to.equal(1)
          expect(command.output()).to.include(new URL(trap.url).port).and.not.include('canary')
        }
    } finally {
      await rm(folder, { recursive: true })
    }
    for (const name of ['password', 'token'] as const) expect(hop.heard.join(), name).to.include(secrets[name])
    expect(trap.heard).to.deep.equal([])
  })

  it('stay there: of traces nothing follows either', async () => {
    await kernel.stop()
    expect(hop.heard.join()).to.include(secrets.traces)
    expect(trap.heard).to.deep.equal([])
  })
})

/** What people can connect: a channel or a connector of vaults. */
interface Connectable {
  readonly id: string
  readonly connection: {
    readonly required?: readonly string[]
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

/** A value that a member of a connection takes, as far as its schema tells; nothing answers there. */
function memberFor(name: string, schema: Readonly<Record<string, unknown>> = {}): unknown {
  if (schema['x-secret'] === true) return `canary-of-${name}-${'x'.repeat(32)}`
  if (schema['type'] === 'integer') return Number(schema['minimum'] ?? 1)
  if (schema['default'] !== undefined) return schema['default']
  if (/url$|^address$/.test(name)) return name === 'address' && schema['format'] === undefined ? 'ada@example.org' : 'https://127.0.0.1:9'
  return name.endsWith('_host') ? '127.0.0.1' : 'files/text'
}
