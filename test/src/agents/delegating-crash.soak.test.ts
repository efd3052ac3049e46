import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'

interface WireMessage {
  readonly role: string
  readonly content: string | null | readonly { readonly text?: string }[]
}

const textOf = ({ content }: WireMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

describe('a service that is killed while one agent waits for another', function () {
  this.timeout(60_000)
  let upstream: Server
  let folder: string
  let service: ServiceProcess | undefined
  /** Whether the model of the delegated task keeps silent. */
  let silent = true
  let asked: () => void = () => undefined
  const tasks: string[] = []

  const answer = (messages: readonly WireMessage[], response: ServerResponse): void => {
    const task = textOf(messages.find(({ role }) => role === 'user') ?? { role: 'user', content: '' }).split('\n')[0] ?? ''
    const result = messages.find(({ role }) => role === 'tool')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (task === 'Endure' && !result) {
      const call = { name: 'delegate', arguments: JSON.stringify({ agent: 'editor', task: 'Long' }) }
      response.write(event({ delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] } }))
      response.end(`${event({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`)
      return
    }
    if (task === 'Long') {
      tasks.push(task)
      response.write(event({ delta: { content: silent ? 'Ha' : 'Whole.' } }))
      asked()
      if (silent) return
    } else response.write(event({ delta: { content: `It says: ${result ? textOf(result) : ''}` } }))
    response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }

  before(async () => {
    upstream = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => answer((JSON.parse(body) as { readonly messages: readonly WireMessage[] }).messages, response))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-delegating-'))
    await writeConfiguration(folder, `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`)
  })
  after(async () => {
    await service?.kill()
    upstream.closeAllConnections()
    await new Promise<unknown>((resolve) => upstream.close(resolve))
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    service = await startServiceProcess({ folder, environment: { ...fewPlugins(), UPSTREAM_KEY: 'upstream-key-0123456789' } })
    return signUp(service.url, 'ada')
  }
  const messagesOf = async (ada: Api, chat: string) =>
    (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly WireMessage[]

  it('continues the task that it has begun, and begins no second one', async () => {
    let ada = await start()
    const items = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string; readonly handle: string }[]
    const chief = items.find(({ handle }) => handle === 'assistant')?.id
    await ada.request('PATCH', `/api/agents/${chief}`, { tools: ['delegate'], approval: { '*': 'never' } })
    const stream = await ada.stream()
    const chat = String((await ada.request('POST', '/api/chats', { agent_id: chief })).body['id'])
    const silence = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Endure' })
    const run = (body['run'] as { readonly id: string }).id
    const hidden = await stream.until(({ name, data }) => name === 'run.started' && data['run_id'] !== run)
    await silence
    stream.close()
    await service?.kill()

    silent = false
    ada = await start()
    const again = await ada.stream({ after: hidden.id ?? '' })
    expect((await endOf(again, run)).name).to.equal('run.completed')
    again.close()
    expect(textOf((await messagesOf(ada, chat)).at(-1) ?? expect.fail('no message'))).to.equal('It says: Whole.')
    expect((await messagesOf(ada, String(hidden.data['chat_id']))).map(({ role }) => role)).to.deep.equal(['user', 'assistant'])
    expect(tasks).to.deep.equal(['Long', 'Long'])
  })
})
