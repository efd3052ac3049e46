import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createClient, type SignedInPerson } from '../security/support/clients.js'
import { writePlugin } from './support/write-http-plugin.js'

const builtIns = fileURLToPath(new URL('../../../plugins', import.meta.url))

describe('sites of a built-in plugin in the real service', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  let ada: SignedInPerson
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-site-'))
    const builtInFolder = path.join(folder, 'plugins')
    await writePlugin(
      builtInFolder,
      {
        id: 'feature-pages',
        contributes: ['http.site'],
        hosts: ['*.{pages.host}', 'localhost'],
        sections: {
          pages: {
            type: 'object',
            properties: { host: { type: 'string', default: 'localhost' } },
            additionalProperties: false,
            description: 'Pages.',
          },
        },
      },
      `context.contribute(sites.httpSites, {
        specVersion: 1, host: '*.' + context.config.pages.host,
        async handle({ label, target, headers }) {
          const bytes = new TextEncoder().encode(JSON.stringify({ label, target, headers }))
          return { status: 200, headers: [['content-type', 'text/plain'], ['set-cookie', 'refresh_token=x; Domain=localhost']], body: (async function* () { yield bytes })() }
        },
      })`,
    )
    for (const id of ['database-sqlite', 'policy-cedar']) await symlink(path.join(builtIns, id), path.join(builtInFolder, id))
    kernel = await createTestKernel({
      folder: path.join(folder, 'service'),
      builtInFolder,
      environment: { SERVICE_PAGES_HOST: 'apps.example' },
    })
    ada = await createClient(kernel.url).signUp('ada')
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const get = (host: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly status: number; readonly text: string; readonly cookies: readonly string[] }>((resolve, reject) => {
      const { port } = new URL(kernel.url)
      request({ host: '127.0.0.1', port, path: target, headers: { ...headers, host } }, async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve({ status: response.statusCode ?? 0, text, cookies: response.headers['set-cookie'] ?? [] })
      })
        .once('error', reject)
        .end()
    })

  it("answer for configured hosts, and never see a person's credentials", async () => {
    const personal = await createClient(kernel.url).send('POST', '/api/auth/tokens', {
      headers: ada.authorization,
      body: { name: 'script' },
    })
    for (const headers of [ada.authorization, { authorization: `Bearer ${String(personal.json['token'])}` }, { cookie: ada.cookie }]) {
      const { status, text, cookies } = await get('notes.apps.example', '/api/auth/me', headers)
      expect(status).to.equal(200)
      const seen = JSON.parse(text) as { readonly label: string; readonly target: string; readonly headers: readonly (readonly string[])[] }
      expect(seen).to.include({ label: 'notes', target: '/api/auth/me' })
      expect(seen.headers.map(([name]) => name))
        .to.not.include.members(['authorization'])
        .and.not.include.members(['cookie'])
      expect(cookies).to.deep.equal(['refresh_token=x'])
    }
  })

  it('leave every other host to the service', async () => {
    for (const host of ['localhost', 'apps.example', 'a.b.apps.example', 'elsewhere.example', '127.0.0.1'])
      expect((await get(host, '/api/auth/me', ada.authorization)).text, host).to.contain('"username":"ada"')
  })

  it('never fall back to the API while the plugin does not run', async () => {
    const client = createClient(kernel.url)
    await client.confirm(ada)
    await client.send('POST', '/api/admin/plugins/feature-pages/disable', { headers: ada.authorization })
    const { status, text } = await get('notes.apps.example', '/api/auth/me', ada.authorization)
    expect(status).to.equal(503)
    expect(text).to.not.contain('username')
    await client.send('POST', '/api/admin/plugins/feature-pages/enable', { headers: ada.authorization })
    expect((await get('notes.apps.example', '/')).status).to.equal(200)
  })
})
