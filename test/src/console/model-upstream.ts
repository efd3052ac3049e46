import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a provider does with its next requests. */
export type UpstreamMood = 'works' | 'no_models' | 'not_an_api' | 'hangs' | 'lists_only'

/** A provider of the OpenAI family over HTTP that fails in the usual ways. */
export interface ModelUpstream {
  /** With the version part. */
  readonly url: string
  mood: UpstreamMood
  /** Keys that it accepts. */
  keys: readonly string[]
  /** The models of the calls so far. */
  readonly called: readonly string[]
  close(): Promise<void>
}

export const upstreamModels = ['house-small', 'house-large', 'text-embedding-house'] as const

export async function startModelUpstream(): Promise<ModelUpstream> {
  const called: string[] = []
  const upstream = { mood: 'works' as UpstreamMood, keys: ['sk-right'] as readonly string[] }
  const server = createServer((request, response) => void answer(request, response, upstream, called))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${port}/v1`,
    called,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { mood, keys }: Pick<ModelUpstream, 'mood' | 'keys'>,
  called: string[],
): Promise<void> {
  const body = await textOf(request)
  const json = (status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  if (mood === 'hangs') return
  if (mood === 'not_an_api') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>A wiki</title>')
    return
  }
  if (!keys.includes((request.headers.authorization ?? '').replace('Bearer ', '')))
    return json(401, { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' } })
  if (request.url === '/v1/models')
    return json(200, { object: 'list', data: mood === 'no_models' ? [] : upstreamModels.map((id) => ({ id, object: 'model' })) })
  if (request.url !== '/v1/chat/completions' || mood === 'lists_only') return json(404, { error: { message: `No route ${request.url}.` } })
  const { model, stream } = JSON.parse(body) as { readonly model: string; readonly stream?: boolean }
  called.push(model)
  if (!upstreamModels.some((id) => id === model))
    return json(404, { error: { message: `The model ${model} does not exist.`, code: 'model_not_found' } })
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  const head = { id: 'chat-1', object: 'chat.completion', created: 1, model }
  if (!stream)
    return json(200, {
      ...head,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello from the house.' }, finish_reason: 'stop' }],
      usage,
    })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of ['Hello ', 'from the house.'])
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: { role: 'assistant', content } }] })}\n\n`)
  response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
