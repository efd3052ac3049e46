import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, openTestConfigurations, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'

type Items = readonly Readonly<Record<string, unknown>>[]

describe('the catalogue of models and brands, in the real service', function () {
  this.timeout(30_000)
  let folder: string
  let cache: string
  let kernel: TestKernel
  let admin: Api

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-catalogue-'))
    cache = path.join(folder, 'elsewhere', 'feature-inference')
    await mkdir(cache, { recursive: true })
    const snapshot = { version: '2099-01-01T00:00:00.000Z', models: { openai: { 'gpt-of-the-cache': { context_window: 12_345 } } } }
    await writeFile(path.join(cache, 'models.json'), JSON.stringify(snapshot))
    kernel = await createTestKernel({
      folder,
      environment: {
        SERVICE_STORAGE_CACHE_DIR: path.join(folder, 'elsewhere'),
        OPENAI_API_KEY: 'k',
        SERVICE_MODELS: JSON.stringify({ primary: { provider: 'openai', model: 'gpt-of-the-cache', api: 'completions' } }),
      },
    })
    admin = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const items = async (target: string): Promise<Items> => (await admin.request('GET', target)).body['items'] as Items

  it('goes by what an earlier refresh left in the cache folder', async () => {
    expect((await items('/api/catalogue/models?brand=openai')).map(({ id }) => id)).to.deep.equal(['gpt-of-the-cache'])
    expect((await items('/api/models'))[0]).to.include({
      name: 'primary',
      provider: 'openai',
      model: 'gpt-of-the-cache',
      context_window: 12_345,
    })
  })

  it('lists models and brands to every user', async () => {
    await admin.request('POST', '/api/auth/register', { username: 'bob', password: 'a long enough password' })
    const bob = await signUp(kernel.url, 'bob')
    const page = (await bob.request('GET', '/api/catalogue/models?brand=anthropic&query=sonnet&limit=2')).body
    expect(page['items']).to.have.length(2)
    expect(page['next_cursor']).to.be.a('string')
    const brands = (await bob.request('GET', '/api/catalogue/brands?limit=200')).body['items'] as Items
    const brand = (id: string) => brands.find((candidate) => candidate['id'] === id)
    expect(brand('openai')).to.include({ kind: 'built_in', enabled: true })
    expect(brand('zai')).to.include({ kind: 'compatible', enabled: true })
    expect(brand('cerebras')).to.include({ kind: 'compatible', enabled: false })
    expect((await bob.request('POST', '/api/admin/catalogue/refresh')).status).to.equal(403)
    expect((await fetch(`${kernel.url}/api/catalogue/models`)).status).to.equal(401)
    expect(await readdir(cache)).to.deep.equal(['models.json'])
  })

  it('refuses a compatible brand that cannot be used when the configuration is saved, with the reason', async () => {
    await confirm(admin)
    const { revision } = (await admin.request('GET', '/api/admin/config')).body
    const save = async (connection: object) =>
      fetch(`${kernel.url}/api/admin/config`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'if-match': String(revision) },
        body: JSON.stringify({ set: { 'providers.work': connection } }),
      })
    const refused = await save({ provider: 'cerebras', api_key: 'k' })
    expect(refused.status).to.equal(422)
    expect(JSON.stringify(await refused.json())).to.match(/providers\.work\.provider.*no adapter speaks its protocol/)
    expect((await save({ provider: 'zai', api_key: 'k' })).status).to.equal(200)
  })
})

describe('the rules of compatible brands, by the real loader', () => {
  const load = async (providers: string) => {
    const configurations = await openTestConfigurations()
    try {
      const { problems } = await configurations.load({
        yaml: `providers: { work: ${providers} }\nmodels: { primary: { provider: work, model: m } }\n`,
      })
      return problems.map((problem) => `${problem.path}: ${problem.message}`)
    } finally {
      await configurations.remove()
    }
  }

  it('take one that adapters can speak to without adapter and address', async () => {
    expect(await load('{ provider: minimax, api_key: k }')).to.deep.equal([])
  })

  it('refuse one that none can speak to, and take it with an adapter and an address of its own', async () => {
    expect((await load('{ provider: google-vertex }')).join()).to.match(
      /^providers\.work\.provider: the compatible brand “google-vertex” cannot be used/,
    )
    expect(await load('{ provider: google-vertex, adapter: openai, base_url: "https://x.example/v1", api_key: k }')).to.deep.equal([])
  })
})
