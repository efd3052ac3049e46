import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asksForTitle } from '../../support/title-requests.js'

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined }

/** The body of a request as it reached the upstream. */
export type WireBody = Readonly<Record<string, Json>>

/** An upstream of both OpenAI protocols that records the bodies and says “Hello, world”. */
export interface RecordingUpstream {
  readonly url: string
  /** Every body since the start, oldest first, but for those that ask for titles. */
  readonly bodies: readonly WireBody[]
  close(): Promise<void>
}

const tokens = ['Hello, ', 'world']
const probabilities = tokens.map((token, index) => ({
  token,
  logprob: -0.5 - index,
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token: `${token}?`, logprob: -2, bytes: null }],
}))
const head = { id: 'chatcmpl-1', created: 1, model: 'model-1' }
const chatUsage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

function chatAnswer(body: WireBody): object {
  const logprobs = body['logprobs'] === true ? { content: probabilities, refusal: null } : null
  const message = { role: 'assistant', content: tokens.join('') }
  return { ...head, object: 'chat.completion', choices: [{ index: 0, message, logprobs, finish_reason: 'stop' }], usage: chatUsage }
}

function chatStream(body: WireBody): string {
  const chunk = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const pieces = tokens.map((content, index) => {
    const logprobs = body['logprobs'] === true ? { content: [probabilities[index]], refusal: null } : null
    return chunk([{ index: 0, delta: { content }, logprobs, finish_reason: null }])
  })
  return [...pieces, chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]), chunk([], { usage: chatUsage }), 'data: [DONE]\n\n'].join('')
}

function responsesAnswer(body: WireBody): { readonly item: object; readonly response: object } {
  const asked = Array.isArray(body['include']) && body['include'].includes('message.output_text.logprobs')
  const text = { type: 'output_text', text: tokens.join(''), annotations: [], ...(asked && { logprobs: probabilities }) }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] }
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
  return { item, response: { id: 'resp_1', object: 'response', model: 'model-1', status: 'completed', output: [item], usage } }
}

function responsesStream(body: WireBody): string {
  const { item, response } = responsesAnswer(body)
  const asked = JSON.stringify(item).includes('logprobs')
  const send = (type: string, members: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
  const place = { output_index: 0, item_id: 'msg_1', content_index: 0 }
  return [
    send('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    send('response.output_item.added', { output_index: 0, item: { ...item, content: [] } }),
    ...tokens.map((delta, index) =>
      send('response.output_text.delta', { ...place, delta, logprobs: asked ? [{ ...probabilities[index], bytes: undefined }] : [] }),
    ),
    send('response.output_item.done', { output_index: 0, item }),
    send('response.completed', { response }),
  ].join('')
}

function answerTo(url: string, body: WireBody): string {
  const isResponses = url.endsWith('/responses')
  if (body['stream'] === true) return isResponses ? responsesStream(body) : chatStream(body)
  return JSON.stringify(isResponses ? responsesAnswer(body).response : chatAnswer(body))
}

export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const bodies: WireBody[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as WireBody
      if (!asksForTitle((body['messages'] ?? body['input'] ?? []) as readonly unknown[])) bodies.push(body)
      const type = body['stream'] === true ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type }).end(answerTo(request.url ?? '', body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
