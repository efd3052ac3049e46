import { type JsonObject, Type } from '@agent-service/sdk'
import { defineRoute, type RouteRequest, type RouteResponse, type ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { ModelEvent, ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool, ToolContext } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { type Bridge, createBridge } from './bridge.js'

const adapter: ProviderAdapter = {
  specVersion: 1,
  id: 'adapter_test',
  name: 'test',
  protocols: [{ id: 'test', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
  supports: {
    streaming: true,
    tools: true,
    toolChoice: false,
    images: false,
    files: false,
    reasoning: false,
    opaqueParts: false,
    structuredOutput: false,
  },
  async *call(request, { signal }) {
    if (request.model === 'broken') {
      throw providerError.create({
        failure: 'overloaded',
        retryable: true,
        connection: 'work',
        model: request.model,
        reason: 'too many callers',
      })
    }
    yield { type: 'response.started', model: request.model }
    const words = request.messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? part.text.split(' ') : [])))
    for (const text of words) yield { type: 'text.delta', part: 0, text }
    signal.throwIfAborted()
    if (request.model === 'endless') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    yield {
      type: 'response.finished',
      content: [{ type: 'text', text: words.join('') }],
      stop_reason: 'stop',
      usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0 },
    }
  },
}

const request = (model: string): ModelRequest => ({
  connection: { handle: 'work', brand: 'test', baseUrl: 'http://127.0.0.1/v1', quirks: {} },
  protocol: 'test',
  model,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'one two' }] }],
  tools: [{ name: 'dice', description: 'Rolls.', parameters: { type: 'object' } }],
  settings: { max_tokens: 5 },
  extraParams: {},
  stream: true,
  timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1, totalMs: 1 },
})

const counter: Tool = {
  specVersion: 1,
  name: 'count',
  title: 'Count',
  description: 'Counts to a number.',
  parameters: Type.Object({ to: Type.Integer() }),
  supports: { probe: false },
  async execute(input, context) {
    for (let number = 1; number <= Number(input['to']); number += 1) {
      context.signal.throwIfAborted()
      await context.progress({ message: `at ${number}`, fraction: number / Number(input['to']) })
      await context.output(`${number}\n`)
    }
    return { content: [{ type: 'json', json: { user: context.userId, to: input['to'] ?? 0 } }] }
  },
}

const echo = defineRoute({
  method: 'POST',
  path: '/api/plugins/test/echo/{name}',
  operationId: 'echo',
  summary: 'Sends events',
  auth: 'user',
  params: Type.Object({ name: Type.String() }),
  body: { kind: 'json', schema: Type.Object({ words: Type.Array(Type.String()) }) },
  answers: { 200: { description: 'The words.', contentType: 'text/event-stream' } },
  handle: async ({ params, body, signal }) => ({ status: 200, kind: 'events', events: eventsOf(`${params.name}:`, body.words, signal) }),
})

let leftEarly = false
async function* eventsOf(prefix: string, words: readonly string[], signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  try {
    for (const word of words) if (!signal.aborted) yield { event: 'word', data: prefix + word }
  } finally {
    leftEarly = true
  }
}

describe('contracts over a message bridge', () => {
  let bridge: Bridge | undefined
  const open = (target: object): Bridge => {
    bridge = createBridge(target)
    return bridge
  }
  afterEach(() => bridge?.close())

  it('carry a provider: the events are the same as without the bridge', async () => {
    const over = await collect(open(adapter).iterate('call', request('plain'), { signal: new AbortController().signal }))
    expect(over).to.deep.equal(await collect(adapter.call(request('plain'), { signal: new AbortController().signal })))
    expect(over.map((event) => (event as ModelEvent).type)).to.deep.equal([
      'response.started',
      'text.delta',
      'text.delta',
      'response.finished',
    ])
  })

  it("carry a provider's errors with their code", async () => {
    const error: unknown = await collect(open(adapter).iterate('call', request('broken'), { signal: new AbortController().signal })).catch(
      (reason: unknown) => reason,
    )
    expect(error).to.include({ code: 'provider_error' })
    expect(error).to.have.property('message').that.contains('too many callers')
  })

  it('carry an abort to a provider in the middle of its answer', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const error: unknown = await (async () => {
      for await (const event of open(adapter).iterate('call', request('endless'), { signal: controller.signal })) {
        seen.push((event as ModelEvent).type)
        if (seen.length === 3) controller.abort(new Error('enough'))
      }
      return undefined
    })().catch((reason: unknown) => reason)
    expect(seen).to.deep.equal(['response.started', 'text.delta', 'text.delta'])
    expect(error).to.have.property('message').that.contains('enough')
  })

  it("carry a tool with its host's callbacks", async () => {
    const progress: JsonObject[] = []
    const output: string[] = []
    const context: ToolContext = {
      callId: 'c',
      runId: 'r',
      chatId: 'h',
      agentId: 'a',
      agentHandle: 'agent',
      userId: 'u',
      userHandle: 'u',
      workspace: 'a',
      depth: 0,
      timezone: 'UTC',
      signal: new AbortController().signal,
      progress: async (update) => void progress.push({ ...update }),
      output: async (text) => void output.push(text),
    }
    expect(await open(counter).call('execute', { to: 2 }, context)).to.deep.equal({
      content: [{ type: 'json', json: { user: 'u', to: 2 } }],
    })
    expect(progress).to.deep.equal([
      { message: 'at 1', fraction: 0.5 },
      { message: 'at 2', fraction: 1 },
    ])
    expect(output).to.deep.equal(['1\n', '2\n'])
  })

  it('carry a route that answers with events, and the end of a client that disconnects', async () => {
    const given: RouteRequest = {
      method: 'POST',
      path: '/api/plugins/test/echo/ada',
      params: { name: 'ada' },
      query: {},
      headers: { accept: 'text/event-stream' },
      body: { words: ['a', 'b', 'c'] },
      principal: { userId: 'u', username: 'ada', handle: 'ada', role: 'user', scopes: ['write'] },
      requestId: 'q',
      address: '127.0.0.1',
      loopback: true,
      signal: new AbortController().signal,
    }
    const response = (await open(echo).call('handle', given)) as RouteResponse
    expect(response).to.include({ status: 200, kind: 'events' })
    if (response.kind !== 'events') throw new Error('no events')
    leftEarly = false
    const seen: ServerSentEvent[] = []
    for await (const event of response.events) {
      seen.push(event)
      if (seen.length === 2) break
    }
    expect(seen).to.deep.equal([
      { event: 'word', data: 'ada:a' },
      { event: 'word', data: 'ada:b' },
    ])
    expect(leftEarly).to.equal(true)
  })

  it('refuse anything but plain data', async () => {
    const bad = { execute: async () => ({ content: [{ type: 'json', json: { at: Symbol('no data') } }] }) }
    const error: unknown = await open(bad)
      .call('execute', {}, {})
      .catch((reason: unknown) => reason)
    expect(error).to.have.property('message').that.contains('could not be cloned')
  })
})

async function collect(events: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for await (const event of events) all.push(event)
  return all
}
