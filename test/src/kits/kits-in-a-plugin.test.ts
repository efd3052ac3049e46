import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { bytesOf, playEmbeddings, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { type Api, signUp } from '../support/api.js'
import kitsPlugin, { given } from './support/kits-plugin.js'

const signal = new AbortController().signal
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { readonly code?: unknown }) => error.code,
  )

describe('a plugin that calls other services', () => {
  let folder: string
  let upstream: ReplayServer
  let kernel: TestKernel | undefined
  let person: Api

  before(async () => {
    upstream = await startReplayServer(({ url, body }) => {
      const { input = [] } = url.endsWith('/embeddings') ? (JSON.parse(body) as { readonly input: readonly string[] }) : {}
      const data = playEmbeddings(input).map((embedding, index) => ({ index, embedding }))
      const answer = { data, model: 'vectors-1', usage: { prompt_tokens: 21, total_tokens: 21 } }
      return { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(answer))] }
    })
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-kits-'))
    const plugin = await writeTestPlugin(path.join(folder, 'plugin'), kitsPlugin, new URL('./support/kits-plugin.js', import.meta.url))
    const configuration = {
      providers: { work: { provider: 'house', adapter: 'adapter_alpha', base_url: upstream.baseUrl, api_key: 'key-of-work' } },
      models: { embedding: { provider: 'work', model: 'vectors-1', api: 'completions' } },
      plugins: { settings: { 'kits-for-tests': { reachable: ['127.0.0.1'] } } },
    }
    await writeFile(path.join(folder, 'config.json'), JSON.stringify(configuration))
    kernel = await createTestKernel({ folder, plugins: [plugin], environment: { SERVICE_CONFIG: path.join(folder, 'config.json') } })
    person = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await kernel?.stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('reaches the addresses that its configuration permits, no other private address, and not the service itself', async () => {
    const { client } = given ?? expect.fail('The plugin did not start.')
    const local = { allowHttp: true, allowPrivate: true } as const
    const answer = await client.request({ url: `${upstream.baseUrl}/hello`, ...local }, { signal })
    expect(answer.status).to.equal(200)
    expect(await codeOf(client.request({ url: `${upstream.baseUrl}/hello`, allowHttp: true }, { signal }))).to.equal('http_address_refused')
    const { port } = new URL(upstream.baseUrl)
    expect(await codeOf(client.request({ url: `http://127.0.0.2:${port}/`, ...local }, { signal }))).to.equal('http_address_refused')
    expect(await codeOf(client.request({ url: `http://[::1]:${port}/`, ...local }, { signal }))).to.equal('http_address_refused')
    const own = new URL('/healthz', `http://localhost:${new URL(kernel?.url ?? '').port}`)
    expect(await codeOf(client.request({ url: own.href, ...local }, { signal }))).to.equal('http_address_refused')
  })

  it('gets vectors through the group “embedding”, charged to the person', async () => {
    const { inference } = given ?? expect.fail('The plugin did not start.')
    const userId = String((await person.request('GET', '/api/auth/me')).body['id'])
    const inputs = ['one', 'two', 'three']
    const { vectors, space, provider } = await inference.embed({ inputs, attribution: { userId } }, { signal })
    expect([vectors, space, provider]).to.deep.equal([playEmbeddings(inputs), 'vectors-1/6', 'work'])
    const { body } = await person.request('GET', '/api/usage/calls')
    const [call] = body['items'] as readonly Readonly<Record<string, unknown>>[]
    expect(call).to.include({ group: 'embedding', model: 'vectors-1', outcome: 'completed', input_tokens: 21, output_tokens: 0 })
  })
})
