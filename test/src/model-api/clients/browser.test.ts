import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import type Client from 'openai'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { closeBrowser, openPage } from '../../console/open-page.js'
import { signUp } from '../../support/api.js'
import { type CompletionsUpstream, startCompletionsUpstream } from './support/completions-upstream.js'

/** A site with an empty page. Chromium lets pages of this machine alone reach it without asking the person. */
async function startSite(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Chat</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** The official client in one script: `window.client` makes one. */
async function bundleClient(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('openai')
  const bundle = await rolldown({
    input: '\0client',
    plugins: [
      {
        name: 'client',
        resolveId: (id) => (id === '\0client' ? id : null),
        load: (id) => (id === '\0client' ? `export { OpenAI } from ${JSON.stringify(entry.replace(/\.js$/, '.mjs'))}` : null),
      },
    ],
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'client', exports: 'named' })
  await bundle.close()
  return `${output[0].code}\nwindow.client = client`
}

interface Outcome {
  readonly models: readonly string[]
  readonly text: string
  readonly streamed: string
  readonly failure: { readonly status: number; readonly code: string; readonly message: string; readonly requestId: string }
}

/** Runs in the page. */
async function talk([baseURL, apiKey]: readonly [string, string]): Promise<Outcome> {
  const { OpenAI } = (globalThis as unknown as { readonly client: { readonly OpenAI: typeof Client } }).client
  const connect = (key: string): Client => new OpenAI({ baseURL, apiKey: key, dangerouslyAllowBrowser: true, maxRetries: 1 })
  const client = connect(apiKey)
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const models = (await client.models.list()).data.map(({ id }) => id)
  const whole = await client.chat.completions.create({ model: 'primary', messages })
  let streamed = ''
  for await (const chunk of await client.chat.completions.create({ model: 'primary', messages, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? ''
  const failure = await connect('nobody')
    .models.list()
    .then(
      () => ({ status: 200, code: '', message: '', requestId: '' }),
      (error: { readonly status: number; readonly code: string; readonly message: string; readonly requestID: string }) => ({
        ...{ status: error.status, code: error.code, message: error.message, requestId: error.requestID },
      }),
    )
  return { models, text: whole.choices[0]?.message.content ?? '', streamed, failure }
}

describe('the official client in a page of another origin', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let upstream: CompletionsUpstream
  let site: Awaited<ReturnType<typeof startSite>>
  let folder: string
  let token: string
  let page: Page
  before(async () => {
    upstream = await startCompletionsUpstream()
    site = await startSite()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-browser-client-'))
    const file = path.join(folder, 'config.json')
    const provider = { provider: 'recorded', adapter: 'adapter_alpha', base_url: upstream.url, api_key: 'key' }
    const models = { primary: { provider: 'upstream', model: 'chat-model', api: 'completions' } }
    await writeFile(file, JSON.stringify({ server: { cors_origins: site.url }, providers: { upstream: provider }, models }))
    kernel = await createTestKernel({ folder, environment: { SERVICE_CONFIG: file } })
    token = (await signUp(kernel.url, 'ada')).token
    page = (await openPage(site)).page
    await page.goto('/')
    await page.addScriptTag({ content: await bundleClient() })
  })
  after(async () => {
    await closeBrowser()
    await kernel?.stop()
    await upstream?.close()
    site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const base of ['/v1', '/v1/', '//v1'])
    it(`lists models, answers, streams and reads errors, with the base URL ${base}`, async () => {
      upstream.script(() => ({ text: 'Hello from afar.' }))
      const outcome = await page.evaluate(talk, [`${kernel.url}${base}`, token] as const)
      expect(outcome.models).to.include('primary')
      expect([outcome.text, outcome.streamed]).to.deep.equal(['Hello from afar.', 'Hello from afar.'])
      expect(outcome.failure).to.include({ status: 401, code: 'unauthenticated' })
      expect(outcome.failure.message).to.contain('Authorization: Bearer')
      expect(outcome.failure.requestId).to.be.a('string').and.not.equal('')
    })
})
