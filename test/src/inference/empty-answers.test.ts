import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { type Api, type EventStream, signUp } from '../support/api.js'

type Body = Readonly<Record<string, unknown>>
interface Family {
  readonly adapter: string
  readonly api?: string
  /** A normal stop that says nothing, in one or several forms; each is one answer. */
  readonly empty: readonly string[]
  readonly contentType?: string
  /** The member of the request with the conversation. */
  readonly turns: string
}

const sse = (...events: readonly object[]): string =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('')
const lines = (...documents: readonly object[]): string => documents.map((document) => `${JSON.stringify(document)}\n`).join('')
const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const candidate = (content: object) => ({ candidates: [{ content, finishReason: 'STOP', index: 0 }] })
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 5, output_tokens: 0 } }
const stopped = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 0 } },
  { type: 'message_stop' },
] as const
const response = (output: readonly object[]) => ({
  type: 'response.completed',
  response: { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output },
})
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' }
const thinking = (block: object) => [
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: block },
  { type: 'content_block_stop', index: 0 },
]

const families: Readonly<Record<string, Family>> = {
  completions: {
    adapter: 'adapter_alpha',
    api: 'completions',
    empty: [
      `${sse(choice({}, 'stop'))}data: [DONE]\n\n`,
      `${sse(choice({ content: '\n\n' }), choice({}, 'stop'))}data: [DONE]\n\n`,
      `${sse(choice({ reasoning_content: 'Hm.' }), choice({}, 'stop'))}data: [DONE]\n\n`,
      `${sse(choice({ tool_calls: [] }), choice({}, 'tool_calls'))}data: [DONE]\n\n`,
    ],
    turns: 'messages',
  },
  responses: { adapter: 'adapter_alpha', api: 'responses', empty: [sse(response([])), sse(response([reasoning]))], turns: 'input' },
  anthropic: {
    adapter: 'adapter_beta',
    empty: [
      sse({ type: 'message_start', message }, ...stopped),
      sse({ type: 'message_start', message }, ...thinking({ type: 'thinking_delta', thinking: 'Hm.' }), ...stopped),
    ],
    turns: 'messages',
  },
  gemini: {
    adapter: 'adapter_gamma',
    empty: [
      sse(candidate({ role: 'model' })),
      sse(candidate({ role: 'model', parts: [{ text: '' }] })),
      sse(candidate({ role: 'model', parts: [{ text: '', thoughtSignature: 'c2ln' }] })),
    ],
    turns: 'contents',
  },
  ollama: {
    adapter: 'adapter_zeta',
    contentType: 'application/x-ndjson',
    empty: [lines({ model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' })],
    turns: 'messages',
  },
  cohere: {
    adapter: 'adapter_epsilon',
    empty: [
      sse(
        { type: 'message-start', id: 'c-1', delta: { message: { role: 'assistant', content: [] } } },
        { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 5, output_tokens: 0 } } } },
      ),
    ],
    turns: 'messages',
  },
}

describe('a normal stop that says nothing', function () {
  this.timeout(60_000)
  let server: Server
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let answer = { text: '', contentType: 'text/event-stream' }
  let requests: Body[] = []

  before(async () => {
    server = createServer((request, response) => {
      let text = ''
      request
        .setEncoding('utf8')
        .on('data', (piece: string) => {
          text += piece
        })
        .on('end', () => {
          requests.push(JSON.parse(text) as Body)
          response.writeHead(200, { 'content-type': answer.contentType }).end(answer.text)
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const retry = { max_retries: 5, initial_backoff_ms: 1 }
    const entries = Object.entries(families)
    kernel = await createTestKernel({
      environment: {
        SERVICE_PROVIDERS: JSON.stringify(
          Object.fromEntries(entries.map(([name, { adapter }]) => [name, { provider: `own-${name}`, adapter, base_url, api_key: 'none' }])),
        ),
        SERVICE_MODELS: JSON.stringify(
          Object.fromEntries(entries.map(([name, { api }]) => [name, { provider: name, model: 'm', retry, ...(api && { api }) }])),
        ),
      },
    })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    server?.closeAllConnections()
    server?.close()
  })

  for (const [name, { empty, turns, contentType = 'text/event-stream' }] of Object.entries(families))
    for (const [index, text] of empty.entries())
      it(`is asked for once more and then fails: ${name} ${index + 1}`, async () => {
        answer = { text, contentType }
        const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
        for (const round of [1, 2]) {
          requests = []
          const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: `Hello ${round}`, model: name })
          const end = await endOf(stream, (body['run'] as { readonly id: string }).id)
          expect(end.data['failure']).to.include({ code: 'answer_empty' })
          expect(requests).to.have.length(2)
        }
        // The second message sends what the person wrote, once each, and no turn of the model.
        const sent = requests[0]?.[turns] as readonly { readonly role: string }[]
        expect(sent.map(({ role }) => role).filter((role) => role === 'assistant' || role === 'model')).to.deep.equal([])
        for (const words of ['Hello 1', 'Hello 2']) expect(JSON.stringify(sent).split(words)).to.have.length(2)
      })
})
