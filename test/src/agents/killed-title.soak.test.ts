import { mkdtemp } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { saying } from '../support/scripted-http-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'

type Json = Record<string, unknown>

/** A provider that answers at once, and titles only when it is asked to. */
async function startTitleUpstream() {
  let titling = false
  let titles = 0
  let reportAsked: () => void = () => undefined
  const answer = (model: unknown, response: ServerResponse): void => {
    if (model !== 'title-model') {
      saying('Take the train.')(response)
      return
    }
    titles += 1
    reportAsked()
    if (titling) saying('Rome by train')(response)
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => answer((JSON.parse(body) as Json)['model'], response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    titles: () => titles,
    /** Resolves with the next request for a title. */
    asked: () =>
      new Promise<void>((resolve) => {
        reportAsked = resolve
      }),
    answerTitles() {
      titling = true
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

describe('a service that is killed while a model writes a title', function () {
  this.timeout(60_000)
  let upstream: Awaited<ReturnType<typeof startTitleUpstream>>
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    upstream = await startTitleUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-title-'))
    await writeConfiguration(folder, upstream.url)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await upstream.close()
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    const environment = {
      ...fewPlugins(),
      UPSTREAM_KEY: 'upstream-key-0123456789',
      SERVICE_MODELS__TITLE__PROVIDER: 'upstream',
      SERVICE_MODELS__TITLE__MODEL: 'title-model',
      SERVICE_MODELS__TITLE__API: 'completions',
    }
    service = await startServiceProcess({ folder, environment })
    return signUp(service.url, 'ada')
  }
  /** A chat with its first answer, and a request for its title that hangs. */
  const chatWithAnswer = async (ada: Api): Promise<string> => {
    const asked = upstream.asked()
    const stream = await ada.stream()
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'How do I get to Rome?' })
    expect((await endOf(stream, String((body['run'] as Json)['id']))).name).to.equal('run.completed')
    await asked
    stream.close()
    return chat
  }
  const titleOf = async (ada: Api, chat: string): Promise<unknown> => (await ada.request('GET', `/api/chats/${chat}`)).body['title']

  it('makes it after the restart, and accounts both calls to the owner', async () => {
    const chat = await chatWithAnswer(await start())
    await service?.kill()
    upstream.answerTitles()
    const ada = await start()
    const stream = await ada.stream({ after: '0' })
    if ((await titleOf(ada, chat)) !== 'Rome by train') {
      await stream.until(({ data }) => (data['chat'] as Json | undefined)?.['title'] === 'Rome by train')
    }
    stream.close()
    expect(await titleOf(ada, chat)).to.equal('Rome by train')
    expect(upstream.titles()).to.equal(2)
    const { body } = await ada.request('GET', '/api/usage/calls')
    const calls = (body['items'] as readonly Json[]).filter(({ purpose }) => purpose === 'title')
    expect(calls.map(({ outcome, chat_id }) => [outcome, chat_id]).sort()).to.deep.equal([
      ['completed', chat],
      ['lost', chat],
    ])
  })
})
