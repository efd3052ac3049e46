import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asksForTitle } from '../../../support/title-requests.js'

/** A request of the completions protocol, as far as tests look at it. */
export interface UpstreamRequest {
  readonly path: string
  readonly body: {
    readonly model: string
    readonly stream?: boolean
    readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_call_id?: string }[]
    readonly tools?: readonly { readonly function: { readonly name: string } }[]
    readonly tool_choice?: unknown
    readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } }
    readonly input?: readonly string[]
    readonly dimensions?: number
  }
}

/** What the vendor answers. `hang`: it begins an answer that never continues. */
export type UpstreamAnswer =
  | { readonly text: string }
  | { readonly calls: readonly { readonly name: string; readonly input: object }[] }
  | { readonly status: number; readonly error: object; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'

/** A vendor of models that speaks completions and embeddings over HTTP. */
export interface CompletionsUpstream {
  readonly url: string
  /** Since the last script, but for those that ask for titles. */
  readonly requests: readonly UpstreamRequest[]
  script(answer: (request: UpstreamRequest) => UpstreamAnswer): void
  /** Resolves when the reader of an answer that hangs has disconnected. */
  left(): Promise<void>
  close(): Promise<void>
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 4 } }

export async function startCompletionsUpstream(): Promise<CompletionsUpstream> {
  let requests: UpstreamRequest[] = []
  let answerTo: (request: UpstreamRequest) => UpstreamAnswer = () => ({ text: 'Hello.' })
  let leave: () => void = () => undefined
  let gone = Promise.resolve()
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const request = { path: incoming.url ?? '', body: JSON.parse(Buffer.concat(pieces).toString()) as UpstreamRequest['body'] }
    const isTitle = asksForTitle(request.body.messages ?? [])
    if (!isTitle) requests.push(request)
    const answered = isTitle ? { text: 'A title' } : answerTo(request)
    if (answered === 'hang') {
      response.once('close', leave)
      response.writeHead(200, { 'content-type': request.body.stream ? 'text/event-stream' : 'application/json' }).flushHeaders()
      if (request.body.stream) response.write(chunk({ role: 'assistant', content: 'Hang on' }))
    } else if ('status' in answered)
      response
        .writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers })
        .end(JSON.stringify({ error: answered.error }))
    else if (request.path.endsWith('/embeddings')) json(response, embeddings(request.body))
    else if (request.body.stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream(answered))
    else json(response, completion(answered))
  }
  const server = createServer((incoming, response) => {
    // A reader that was killed is not an error here.
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests
    },
    script(next) {
      answerTo = next
      requests = []
      gone = new Promise((resolve) => {
        leave = resolve
      })
    },
    left: () => gone,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type WholeAnswer = Exclude<UpstreamAnswer, 'hang' | { readonly status: number }>

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const callsOf = (calls: Extract<WholeAnswer, { readonly calls: unknown }>['calls']) =>
  calls.map(({ name, input }, index) => ({
    ...{ index, id: `call-${index + 1}`, type: 'function', function: { name, arguments: JSON.stringify(input) } },
  }))

function completion(answer: WholeAnswer): object {
  const message = 'text' in answer ? { content: answer.text } : { content: null, tool_calls: callsOf(answer.calls) }
  const finish = 'text' in answer ? 'stop' : 'tool_calls'
  return { id: 'answer-1', model: 'm', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }], usage }
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'answer-1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

function stream(answer: WholeAnswer): string {
  const deltas =
    'text' in answer
      ? [...(answer.text.match(/[\s\S]{1,8}/g) ?? [])].map((content) => chunk({ content }))
      : callsOf(answer.calls).map((call) => chunk({ tool_calls: [call] }))
  const end = [
    chunk({}, 'text' in answer ? 'stop' : 'tool_calls'),
    `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ]
  return [...deltas, ...end].join('')
}

function embeddings({ input = [], dimensions = 4 }: UpstreamRequest['body']): object {
  const vectorOf = (text: string): readonly number[] => Array.from({ length: dimensions }, (_, index) => text.length + index / 4)
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
  return { object: 'list', model: 'm', data, usage: { prompt_tokens: 3, total_tokens: 3 } }
}
