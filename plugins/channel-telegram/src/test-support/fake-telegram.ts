import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { ChannelFault } from '@agent-service/sdk/testing'

type Fields = Readonly<Record<string, unknown>>

/** A message of the bot as people see it. */
export interface SentMessage {
  readonly parameters: Fields
  readonly text: string
  readonly file?: { readonly name: string; readonly bytes: Uint8Array }
  readonly number: number
}

/** The Bot API in this process, as documented: updates by polling, methods, files, failures. */
export interface FakeTelegram {
  readonly root: string
  readonly sent: readonly SentMessage[]
  /** Methods with their parameters, in order. */
  readonly calls: readonly { readonly method: string; readonly parameters: Fields }[]
  /** Updates that the bot has acknowledged by an offset. */
  readonly acknowledged: readonly Fields[]
  readonly webhook: Fields | undefined
  /** Puts an update with the next number in line. */
  queue(update: Fields): void
  /** Makes a file that can be downloaded, and returns its id. */
  keep(bytes: Uint8Array): string
  /** What a method answers once instead. */
  answerOnce(method: string, status: number, body: Fields): void
  requests(): number
  /** Breaks all connections, that of a poll among them, which it waits for. */
  drop(): Promise<void>
  break(fault: ChannelFault | undefined): Promise<void>
  close(): Promise<void>
}

export const token = '123456:canary-of-the-token-of-the-bot-abcdef'
export const bot = { id: 123456, is_bot: true, first_name: 'Town', username: 'town_bot' }

const refusals: Readonly<Partial<Record<ChannelFault, readonly [number, Fields]>>> = {
  throttled: [429, { ok: false, error_code: 429, description: 'Too Many Requests: retry after 3', parameters: { retry_after: 3 } }],
  failing: [500, { ok: false, error_code: 500, description: 'Internal Server Error' }],
  revoked: [401, { ok: false, error_code: 401, description: 'Unauthorized' }],
}

export async function startFakeTelegram(): Promise<FakeTelegram> {
  const sent: SentMessage[] = []
  const calls: { readonly method: string; readonly parameters: Fields }[] = []
  const acknowledged: Fields[] = []
  const files = new Map<string, Uint8Array>()
  const replies = new Map<string, readonly [number, Fields]>()
  let waiting: Fields[] = []
  let held: ServerResponse | undefined
  let webhook: Fields | undefined
  let fault: ChannelFault | undefined
  let open = 0
  let next = 1_000
  let number = 500

  const answer = (response: ServerResponse, status: number, body: Fields): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const release = (): void => {
    if (held === undefined || waiting.length === 0) return
    answer(held, 200, { ok: true, result: waiting.slice(0, 50) })
    held = undefined
  }
  const getUpdates = (response: ServerResponse, { offset }: Fields): void => {
    if (webhook !== undefined)
      return void answer(response, 409, { ok: false, description: "Conflict: can't use getUpdates method while webhook is active" })
    if (typeof offset === 'number') {
      acknowledged.push(...waiting.filter(({ update_id }) => Number(update_id) < offset))
      waiting = waiting.filter(({ update_id }) => Number(update_id) >= offset)
    }
    if (held !== undefined) answer(held, 409, { ok: false, description: 'Conflict: terminated by other getUpdates request' })
    held = response
    response.on('close', () => {
      if (held === response) held = undefined
    })
    release()
  }
  const record = (response: ServerResponse, parameters: Fields, text: string, file?: SentMessage['file']): void => {
    if (fault === 'rejecting') return void answer(response, 400, { ok: false, description: 'Bad Request: chat not found' })
    number += 1
    sent.push({ parameters, text, number, ...(file && { file }) })
    if (fault === 'losing') response.socket?.resetAndDestroy()
    else answer(response, 200, { ok: true, result: { message_id: number } })
  }
  const methods: Readonly<Record<string, (response: ServerResponse, parameters: Fields, file?: SentMessage['file']) => void>> = {
    getMe: (response) => answer(response, 200, { ok: true, result: bot }),
    getUpdates,
    deleteWebhook(response) {
      webhook = undefined
      answer(response, 200, { ok: true, result: true })
    },
    setWebhook(response, parameters) {
      webhook = parameters
      answer(response, 200, { ok: true, result: true })
    },
    sendMessage: (response, parameters) => record(response, parameters, String(parameters['text'])),
    sendDocument: (response, parameters, file) => record(response, parameters, String(parameters['caption'] ?? ''), file),
    editMessageText(response, parameters) {
      const index = sent.findIndex((each) => each.number === parameters['message_id'])
      const before = sent[index]
      if (before === undefined) return void answer(response, 400, { ok: false, description: 'Bad Request: message to edit not found' })
      sent[index] = { ...before, text: String(parameters['text']) }
      answer(response, 200, { ok: true, result: {} })
    },
    sendChatAction: (response) => answer(response, 200, { ok: true, result: true }),
    answerCallbackQuery: (response) => answer(response, 200, { ok: true, result: true }),
    getFile(response, { file_id }) {
      if (!files.has(String(file_id))) return void answer(response, 400, { ok: false, description: 'Bad Request: wrong file_id' })
      answer(response, 200, { ok: true, result: { file_id, file_path: `documents/${String(file_id)}` } })
    },
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1
    // A connection for each request: one that is kept could be found to be closed only while a message is sent.
    response.setHeader('connection', 'close')
    response.on('close', () => {
      open -= 1
    })
    const [, isFile, given, rest = ''] = /^(\/file)?\/bot([^/]+)\/(.*)$/.exec(request.url ?? '') ?? []
    const { parameters, file } = await bodyOf(request)
    if (fault === 'silent') return
    if (fault === 'garbled') return void response.end('<html>')
    const refusal = given === token ? replies.get(rest) : refusals.revoked
    replies.delete(rest)
    const failure = refusal ?? (fault && refusals[fault])
    if (failure) return void answer(response, ...failure)
    if (isFile !== undefined) return void response.end(files.get(rest.replace('documents/', '')))
    calls.push({ method: rest, parameters })
    methods[rest]?.(response, parameters, file)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    ...{ root: `http://127.0.0.1:${port}`, sent, calls, acknowledged },
    get webhook() {
      return webhook
    },
    queue(update) {
      next += 1
      waiting.push({ update_id: next, ...update })
      release()
    },
    keep(bytes) {
      const id = `file_${files.size}`
      files.set(id, bytes)
      return id
    },
    answerOnce: (method, status, body) => void replies.set(method, [status, body]),
    requests: () => open,
    async drop() {
      while (webhook === undefined && held === undefined) await setImmediate()
      server.closeAllConnections()
    },
    async break(given) {
      fault = given
      if (given === 'revoked' && held !== undefined) answer(held, ...(refusals.revoked ?? [401, {}]))
      if (given === 'down') await stop()
      else if (!server.listening) await listen(port)
    },
    close: stop,
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ readonly parameters: Fields; readonly file?: SentMessage['file'] }> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return { parameters: body.length === 0 ? {} : (JSON.parse(body.toString()) as Fields) }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const document = form.get('document')
  const parameters = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Readonly<Record<string, string>>
  const parsed = Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [key, key === 'caption' ? value : (JSON.parse(value) as unknown)]),
  )
  if (document === null || typeof document === 'string') return { parameters: parsed }
  return { parameters: parsed, file: { name: document.name, bytes: new Uint8Array(await document.arrayBuffer()) } }
}
