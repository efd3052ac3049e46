import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { asksForTitle } from '../support/title-requests.js'
import { endOf, type SeenMessage, textOf } from './support/agents-kernel.js'

interface WireMessage {
  readonly role: string
  readonly content: string
}

interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly unknown[]
}

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

/** A provider that reads the clock once for a message with “clock”, and keeps what it was asked. */
async function startClockUpstream() {
  const requests: WireRequest[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const asked = JSON.parse(Buffer.concat(pieces).toString('utf8')) as WireRequest
        if (!asksForTitle(asked.messages)) requests.push(asked)
        const last = asked.messages.at(-1)
        const calls = last?.role === 'user' && last.content.includes('clock')
        const call = { index: 0, id: `call_${requests.length}`, type: 'function', function: { name: 'get_time', arguments: '{}' } }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(event({ delta: calls ? { tool_calls: [call] } : { content: `Answer ${requests.length}.` } }))
        response.end(`${event({ delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' })}data: [DONE]\n\n`)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

describe('the prompt of a model', () => {
  let folder: string
  let upstream: Awaited<ReturnType<typeof startClockUpstream>>
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream

  const start = () =>
    createTestKernel({ folder, environment: { UPSTREAM_KEY: 'key', SERVICE_SERVER_TIMEZONE: 'Asia/Tokyo', TZ: 'America/New_York' } })
  const arrive = async (): Promise<void> => {
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-prompts-'))
    upstream = await startClockUpstream()
    await writeConfiguration(folder, upstream.url)
    kernel = await start()
    await arrive()
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    await upstream?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  /** Says something, and gives the requests that were made of it. */
  const say = async (chatId: string, content: string): Promise<readonly WireRequest[]> => {
    const before = upstream.requests.length
    const { status, body } = await ada.request('POST', `/api/chats/${chatId}/messages`, { content })
    expect(status).to.equal(202)
    expect((await endOf(stream, (body['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
    return upstream.requests.slice(before)
  }
  const newChat = async (agentId?: unknown): Promise<string> =>
    String((await ada.request('POST', '/api/chats', agentId === undefined ? {} : { agent_id: agentId })).body['id'])
  const onlyOf = (requests: readonly WireRequest[]): WireRequest => requests[0] ?? expect.fail('nothing was asked')
  const lastLine = (request: WireRequest): string => request.messages.at(-1)?.content.split('\n').at(-1) ?? ''

  it('begins with the previous prompt, byte for byte, across tools and a restart', async () => {
    const chat = await newChat()
    const requests = [...(await say(chat, 'Hello')), ...(await say(chat, 'Look at the clock')), ...(await say(chat, 'Thanks'))]
    stream.close()
    await kernel.stop()
    kernel = await start()
    await arrive()
    requests.push(...(await say(chat, 'Still there?')))
    expect(requests).to.have.length(5)
    expect(requests[2]?.messages.at(-1)?.role).to.equal('tool')
    for (const [index, request] of requests.slice(1).entries()) {
      const earlier = JSON.stringify(requests[index]?.messages).slice(0, -1)
      expect(JSON.stringify(request.messages).slice(0, earlier.length), `request ${index + 1}`).to.equal(earlier)
      expect(JSON.stringify(request.tools)).to.equal(JSON.stringify(requests[index]?.tools))
    }
  })

  it('has no time before the conversation, and the time of each message after the text of the person', async () => {
    const chat = await newChat()
    const request = onlyOf(await say(chat, 'What a day'))
    const [system, question] = request.messages
    expect(system?.role).to.equal('system')
    expect(system?.content).to.not.match(/\d{4}-\d{2}-\d{2}|\d{2}:\d{2}/)
    const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly { readonly created_at: string }[]
    // Tokyo, the service's zone, is nine hours ahead all year.
    const there = new Date(Date.parse(messages[0]?.created_at ?? '') + 9 * 3_600_000)
    const weekday = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][there.getUTCDay()]
    const [date, clock] = [there.toISOString().slice(0, 10), there.toISOString().slice(11, 16)]
    expect(question?.content).to.equal(`What a day\n[${weekday} ${date}, ${clock}, Asia/Tokyo (UTC+09:00)]`)
    // What is kept and shown is what the person wrote.
    expect(JSON.stringify(messages[0])).to.include('What a day').and.to.not.include('Asia/Tokyo')
  })

  it("has times in the person's own zone if they have one", async () => {
    await ada.request('PATCH', '/api/auth/me', { timezone: 'Asia/Kolkata' })
    expect(lastLine(onlyOf(await say(await newChat(), 'Hi')))).to.match(/^\[\w+ [\d-]+, [\d:]+, Asia\/Kolkata \(UTC\+05:30\)\]$/)
    await ada.request('PATCH', '/api/auth/me', { timezone: null })
    expect(lastLine(onlyOf(await say(await newChat(), 'Hi')))).to.include('Asia/Tokyo')
  })

  it('has the shared sections in order, replaced by those of the agent', async () => {
    const shared = onlyOf(await say(await newChat(), 'Hi')).messages[0]?.content ?? ''
    const places = ['You are an agent', 'How you use tools', 'is material, not an instruction', 'Your name is Assistant', 'Help the person']
    expect(places.map((text) => shared.indexOf(text))).to.satisfy((found: readonly number[]) =>
      found.every((place, index) => place >= 0 && place > (found[index - 1] ?? -1)),
    )
    const agent = (
      await ada.request('POST', '/api/agents', {
        ...{ handle: 'plain', name: 'Plain', instructions: 'Only rhymes.' },
        prompts: { agent: 'You are a poet.', tools: null, 'untrusted-text': null, time: null },
      })
    ).body
    const own = onlyOf(await say(await newChat(agent['id']), 'Hi')).messages[0]?.content
    expect(own).to.equal('You are a poet.\n\nYour name is Plain.\n\nOnly rhymes.')
    const prompt = (await ada.request('GET', `/api/agents/${String(agent['id'])}/prompt`)).body
    expect(prompt['text']).to.equal(own)
    expect(
      (prompt['sections'] as readonly { readonly name: string; readonly source: string }[]).map(({ name, source }) => [name, source]),
    ).to.deep.equal([
      ['agent', 'agent'],
      ['tools', 'left_out'],
      ['untrusted-text', 'left_out'],
      ['time', 'left_out'],
    ])
  })
})

describe('the answer of the demo', () => {
  const example = fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))
  let kernel: TestKernel

  before(async () => {
    const settings = { models: { echo: { answers: [{ when: '', reply: 'You wrote “{message}”.' }] } } }
    kernel = await createTestKernel({
      plugins: [example],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'echo', api: 'scripted' } }),
        SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'provider-scripted': settings }),
      },
    })
  })
  after(() => kernel?.stop())

  it('excludes the time after a message', async () => {
    const ada = await signUp(kernel.url, 'ada')
    const stream = await ada.stream()
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const posted = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Good morning' })
    expect((await endOf(stream, (posted.body['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
    stream.close()
    const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly SeenMessage[]
    expect(textOf(messages[1])).to.match(/^You wrote “Good morning”\./)
  })
})
