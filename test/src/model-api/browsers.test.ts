import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { sendRaw, type WireAnswer } from './support/raw-client.js'

const origins = [
  'https://chat.example',
  'app://obsidian.md',
  'capacitor://localhost',
  'tauri://localhost',
  'vscode-webview://0k5bq2vg3gqpjttvv3o0sgk1gvb1m2c4',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'moz-extension://2f2b7f3e-3f2b-4b3a-9a55-9f1e3f0f6f5a',
]
const asked = 'authorization,content-type,x-stainless-os,x-stainless-timeout,x-stainless-retry-count,openai-beta,http-referer,x-title'

describe('clients in pages of a browser', () => {
  let kernel: TestKernel
  let folder: string
  let token: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-browsers-'))
    const file = path.join(folder, 'config.json')
    await writeFile(file, JSON.stringify({ server: { cors_origins: origins.join(', ') } }))
    kernel = await createTestKernel({ folder, environment: { SERVICE_CONFIG: file } })
    const ada = await signUp(kernel.url, 'ada')
    token = ada.token
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const preflight = (target: string, origin: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> =>
    sendRaw(kernel.url, target, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked, ...headers },
    })
  const allowed = ({ headers }: WireAnswer): readonly string[] => String(headers['access-control-allow-headers'] ?? '').split(', ')

  for (const origin of origins) {
    it(`may send the headers that they ask for: ${origin}`, async () => {
      for (const target of ['/v1/chat/completions', '/v1//chat/completions', '/v1/models/', '/v1', '/chat/completions']) {
        const answer = await preflight(target, origin)
        expect(answer.status, target).to.equal(204)
        expect(answer.headers['access-control-allow-origin'], target).to.equal(origin)
        expect(allowed(answer), target).to.include.members(asked.split(','))
        expect(answer.headers['vary'], target).to.equal('Origin, Access-Control-Request-Headers')
        expect(answer.headers['access-control-max-age']).to.match(/^\d+$/)
      }
    })
  }

  it('3.4.2 cannot widen the rest of the API, nor send what is no name of a header', async () => {
    for (const target of ['/api/chats', '/api/auth/login', '/healthz', '/v1x', '//api/chats'])
      expect(allowed(await preflight(target, 'https://chat.example')), target).to.not.include('x-stainless-os')
    const odd = 'x-fine, x bad, x:bad, , "x", x-fine'
    expect(allowed(await preflight('/v1/models', 'https://chat.example', { 'access-control-request-headers': odd })))
      .to.include('x-fine')
      .and.not.include.members(['x bad'])
    const many = Array.from({ length: 500 }, (_, index) => `x-header-${index}`).join(',')
    const bounded = await preflight('/v1/models', 'https://chat.example', { 'access-control-request-headers': many })
    expect(allowed(bounded)).to.have.length.below(120)
    for (const origin of ['null', 'https://evil.example', 'app://other.md', 'APP://obsidian.md', 'capacitor://localhost:1', 'file://']) {
      const answer = await preflight('/v1/models', origin)
      expect(answer.headers['access-control-allow-origin'], origin).to.equal(undefined)
      expect(answer.headers['access-control-allow-headers'], origin).to.equal(undefined)
    }
  })

  it('3.4.2 are given credentials only as pages of the web', async () => {
    expect((await preflight('/v1/models', 'https://chat.example')).headers['access-control-allow-credentials']).to.equal('true')
    expect((await preflight('/v1/models', 'app://obsidian.md')).headers['access-control-allow-credentials']).to.equal(undefined)
    const change = await sendRaw(kernel.url, '/api/auth/logout', {
      method: 'POST',
      headers: { origin: 'capacitor://localhost', cookie: 'refresh_token=x', 'content-length': '0' },
    })
    expect(change.status).to.equal(403)
  })

  it('reach an address of a private network if their origin is listed', async () => {
    const wanted = { 'access-control-request-private-network': 'true' }
    expect((await preflight('/v1/models', 'https://chat.example', wanted)).headers['access-control-allow-private-network']).to.equal('true')
    expect((await preflight('/v1/models', 'https://evil.example', wanted)).headers['access-control-allow-private-network']).to.equal(
      undefined,
    )
    expect((await preflight('/v1/models', 'https://chat.example')).headers['access-control-allow-private-network']).to.equal(undefined)
  })

  it('can read every error, and the headers that clients act on', async () => {
    const headers = { origin: 'app://obsidian.md', authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const [status, target, more, body] of [
      [401, '/v1/models', { authorization: 'Bearer x' }, undefined],
      [404, '/v1/unknown', {}, undefined],
      [404, '/chat/completions', {}, '{}'],
      [400, '/v1/models/%zz', {}, undefined],
      [400, '/v1/../models', {}, undefined],
      [404, '/v1/chat/completions', {}, '{"model":"nothing","messages":[{"role":"user","content":"Hi"}]}'],
      [413, '/v1/chat/completions', { 'content-length': String(64 * 1024 * 1024) }, ''],
      [400, '/v1/chat/completions', {}, '{'],
    ] as const) {
      const answer = await sendRaw(kernel.url, target, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, ...more },
        ...(body !== undefined && { body }),
      }).catch((error: unknown) => expect.fail(`${target}: ${String(error)}`))
      expect(answer.status, target).to.equal(status)
      expect(answer.headers['access-control-allow-origin'], target).to.equal('app://obsidian.md')
      expect(String(answer.headers['access-control-expose-headers']).split(', '), target).to.include.members([
        ...['x-request-id', 'retry-after', 'x-should-retry', 'x-ignored-parameters'],
      ])
      expect(answer.error?.message, target).to.be.a('string')
    }
  })
})
