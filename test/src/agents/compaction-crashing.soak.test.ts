import { mkdtemp } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'
import { smallWindowEnvironment, wordsOf } from './support/long-chats.js'

/**
 * A model provider that answers every question, and leaves orders of summaries unanswered until it
 * is told otherwise.
 */
async function startUpstream() {
  let summarising = false
  let orders = 0
  let ordered: () => void = () => undefined
  const firstOrder = new Promise<void>((resolve) => {
    ordered = resolve
  })
  const say = (response: ServerResponse, text: string): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`)
    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  }
  const server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (text: string) => {
        body += text
      })
      .on('end', () => {
        if (!body.includes('You write the summary')) return say(response, wordsOf('Answer.', 100))
        orders += 1
        ordered()
        if (summarising) say(response, 'They talked about words.')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    firstOrder,
    orders: () => orders,
    summarise: () => {
      summarising = true
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

describe('a service that is killed while a summary is written', function () {
  this.timeout(60_000)
  let upstream: Awaited<ReturnType<typeof startUpstream>>
  let folder: string
  let service: ServiceProcess | undefined

  before(async () => {
    upstream = await startUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-compaction-'))
    await writeConfiguration(folder, upstream.url)
  })
  after(async () => {
    await service?.kill()
    await upstream?.close()
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    service = await startServiceProcess({
      folder,
      environment: { ...fewPlugins(), UPSTREAM_KEY: 'upstream-key-0123456789', ...smallWindowEnvironment },
    })
    return signUp(service.url, 'ada')
  }
  const post = async (ada: Api, chat: string): Promise<string> => {
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: wordsOf('Question.', 150) })
    return (body['run'] as { readonly id: string }).id
  }

  it('writes it once after the restart, and answers', async () => {
    const ada = await start()
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const stream = await ada.stream()
    let run = ''
    let turns = 0
    for (let ordered = false; !ordered; turns += 1) {
      run = await post(ada, chat)
      ordered = await Promise.race([upstream.firstOrder.then(() => true), endOf(stream, run).then(() => false)])
    }
    await service?.kill()
    stream.close()

    upstream.summarise()
    const again = await start()
    const resumed = await again.stream({ after: '1' })
    const seen = again.request('GET', `/api/runs/${run}`)
    if (!['completed', 'failed'].includes(String((await seen).body['status'])))
      expect((await endOf(resumed, run)).name).to.equal('run.completed')
    expect((await again.request('GET', `/api/runs/${run}`)).body).to.include({ status: 'completed', failure: null })
    const summaries = (await again.request('GET', `/api/chats/${chat}/summaries`)).body['items'] as readonly { readonly text: string }[]
    expect(summaries.map(({ text }) => text)).to.deep.equal(['They talked about words.'])
    expect(upstream.orders()).to.be.greaterThan(1)
    const messages = (await again.request('GET', `/api/chats/${chat}/messages?limit=200`)).body['items'] as readonly {
      readonly role: string
    }[]
    expect(messages.map(({ role }) => role)).to.deep.equal(Array.from({ length: turns }, () => ['user', 'assistant']).flat())
    resumed.close()
  })
})
