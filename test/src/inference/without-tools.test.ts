import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf, textOf } from '../agents/support/agents-kernel.js'
import { type Api, type EventStream, signUp } from '../support/api.js'

type Body = Readonly<Record<string, unknown>>
const model = 'gemma3:4b'

/** A server of Ollama whose one model refuses every request with tools. `shows`: it tells what the model can do. */
function startOllama(requests: Body[], options: { readonly shows: boolean }): Promise<Server> {
  const server = createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        text += piece
      })
      .on('end', () => {
        const json = (status: number, body: unknown): void => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        }
        if (request.url === '/api/tags') return json(200, { models: [{ name: model, model }] })
        if (request.url === '/api/show')
          return options.shows ? json(200, { capabilities: ['completion', 'vision'] }) : json(404, { error: 'page not found' })
        if (request.url !== '/api/chat') return json(404, { error: 'page not found' })
        const body = JSON.parse(text) as Body
        requests.push(body)
        if (((body['tools'] ?? []) as readonly unknown[]).length > 0)
          return json(400, { error: `registry.ollama.ai/library/${model} does not support tools` })
        response.writeHead(200, { 'content-type': 'application/x-ndjson' })
        response.write(`${JSON.stringify({ model, message: { role: 'assistant', content: 'Fine, it works.' }, done: false })}\n`)
        response.end(`${JSON.stringify({ model, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' })}\n`)
      })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe('a model of Ollama that takes no tools', function () {
  this.timeout(60_000)
  let ollama: Server
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let shows = true
  const requests: Body[] = []

  before(async () => {
    ollama = await startOllama(requests, {
      get shows() {
        return shows
      },
    })
    kernel = await createTestKernel({
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({
          local: { provider: 'ollama', base_url: `http://127.0.0.1:${(ollama.address() as AddressInfo).port}` },
        }),
        SERVICE_MODELS: JSON.stringify({ primary: { provider: 'local', model }, small: { provider: 'local', model } }),
      },
    })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  })
  beforeEach(() => {
    requests.length = 0
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    ollama?.closeAllConnections()
    ollama?.close()
  })

  it('is named as such by the list and the tests of the set-up, whether or not the server says it', async () => {
    for (const says of [true, false]) {
      shows = says
      const offer = (await ada.request('POST', '/api/admin/connections/models', { handle: 'local' })).body
      expect((offer['models'] as readonly Body[])[0]).to.include({ id: model, tools: says ? false : null })
      const tested = (await ada.request('POST', '/api/admin/connections/test', { handle: 'local' })).body
      expect(tested).to.include({ ok: true, model, tools: false })
      const group = (await ada.request('POST', '/api/admin/model-groups/primary/test', {})).body
      expect((group['targets'] as readonly Body[])[0]).to.include({ ok: true, tools: false })
    }
  })

  it('answers the bundled assistant without them, says so once, and makes a title', async () => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const say = async (content: string) => {
      const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
      const run = (body['run'] as { readonly id: string }).id
      expect((await endOf(stream, run)).name).to.equal('run.completed')
      return run
    }
    const first = await say('Hello')
    const told = await stream.until(({ name, data }) => name === 'run.reduced' && data['run_id'] === first)
    expect(told.data).to.include({ left_out: 'tools', model, reason: `registry.ollama.ai/library/${model} does not support tools` })
    await stream.until(({ name, data }) => name === 'chat.updated' && String((data['chat'] as Body)['title']).startsWith('Fine'))
    const second = await say('Still there?')
    expect(stream.events.filter(({ name }) => name === 'run.reduced').map(({ data }) => data['run_id'])).to.deep.equal([first])
    expect(second).to.not.equal(first)
    const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly (Body &
      Parameters<typeof textOf>[0])[]
    const answers = messages.filter(({ role }) => role === 'assistant')
    expect(answers.map(textOf)).to.deep.equal(['Fine, it works.', 'Fine, it works.'])
    for (const { left_out } of answers) expect((left_out as readonly Body[])[0]).to.include({ what: 'tools' })
    // The first request alone had tools.
    expect(requests.filter(({ tools }) => tools !== undefined)).to.have.length(1)
    expect(((await ada.request('GET', '/api/models')).body['items'] as readonly Body[])[0]).to.include({ tools: false })
  })
})
