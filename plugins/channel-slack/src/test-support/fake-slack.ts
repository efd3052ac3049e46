import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ChannelBenchSent, ChannelFault } from '@agent-service/sdk/testing'
import { type WebSocket, WebSocketServer } from 'ws'
import { shownText } from './shown-text.js'

export const tokens = { bot: 'xoxb-canary-of-the-bot', app: 'xapp-canary-of-the-app' } as const

/** A workspace with one app: the Web API, files and Socket Mode over real sockets. */
export interface FakeSlack {
  readonly baseUrl: string
  readonly sent: (ChannelBenchSent & { readonly id: string })[]
  /** Every call of a method, with its parameters. */
  readonly calls: { readonly method: string; readonly parameters: URLSearchParams }[]
  readonly files: Map<string, { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }>
  /** Connections of Socket Mode that were greeted. */
  readonly links: Set<WebSocket>
  readonly sockets: ReadonlySet<Socket>
  /** Uploads that came with a token, which they need not. */
  readonly uploadsWithToken: number
  /** Called with each acknowledgement, and with each new connection. */
  onAcknowledged(listener: (envelopeId: string) => void): void
  onLink(listener: (link: WebSocket) => void): void
  /** What the server that a redirect leads to has received. */
  readonly elsewhere: readonly string[]
  fault: ChannelFault | undefined
  /** Errors with which the next calls of a method are answered. */
  readonly errors: Map<string, string>
  breakAll(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a workspace. `answersPings` false: its connections stay open and dead. */
export async function createFakeSlack({ answersPings = true } = {}): Promise<FakeSlack> {
  const sockets = new Set<Socket>()
  const links = new Set<WebSocket>()
  const uploads = new Map<string, { readonly name: string; bytes: Uint8Array }>()
  const errors = new Map<string, string>()
  const sent: FakeSlack['sent'] = []
  const calls: FakeSlack['calls'] = []
  const files: FakeSlack['files'] = new Map()
  const elsewhere: string[] = []
  let acknowledged: (id: string) => void = () => undefined
  let linked: (link: WebSocket) => void = () => undefined
  let fault: ChannelFault | undefined
  let port = 0
  let count = 0
  let uploadsWithToken = 0

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  const webSockets = new WebSocketServer({ noServer: true, autoPong: answersPings })
  server.on('upgrade', (request, socket, head) => {
    if (!request.url?.startsWith('/link?ticket=')) return void socket.destroy()
    webSockets.handleUpgrade(request, socket, head, (link) => {
      links.add(link)
      link.on('error', () => undefined)
      link.on('close', () => links.delete(link))
      link.on('message', (data) => acknowledged(String(JSON.parse(String(data)).envelope_id)))
      link.send(JSON.stringify({ type: 'hello', num_connections: links.size, connection_info: { app_id: 'A1' } }))
      linked(link)
    })
  })

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { pathname } = new URL(request.url ?? '/', 'http://slack.invalid')
    const answer = (status: number, content: string | Uint8Array, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { connection: 'close', ...headers }).end(content)
    }
    // Another host name of the same server: another origin, to which no token may go.
    if (pathname.startsWith('/elsewhere/')) {
      elsewhere.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
      return answer(404, '')
    }
    if (fault === 'redirecting') return answer(307, '', { location: `http://localhost:${port}/elsewhere${request.url}` })
    if (fault === 'silent') return
    if (fault === 'failing') return answer(500, 'failure')
    if (fault === 'garbled') return answer(200, '<html>')
    if (fault === 'throttled') return answer(429, '', { 'retry-after': '3' })
    const [, area, name = ''] = pathname.split('/')
    if (area === 'upload') {
      const upload = uploads.get(name)
      if (upload) upload.bytes = body
      if (request.headers.authorization !== undefined) uploadsWithToken += 1
      return answer(upload ? 200 : 404, 'OK')
    }
    const authorization = request.headers.authorization
    if (area === 'content') {
      const file = authorization === `Bearer ${tokens.bot}` ? files.get(name) : undefined
      return answer(file ? 200 : 404, file?.bytes ?? '')
    }
    const parameters = new URLSearchParams(String(body))
    calls.push({ method: name, parameters })
    const result = resultOf(name, parameters, authorization)
    if (fault === 'losing' && (name === 'chat.postMessage' || name === 'files.completeUploadExternal')) request.socket.resetAndDestroy()
    else answer(200, JSON.stringify(result), { 'content-type': 'application/json; charset=utf-8' })
  }

  const resultOf = (method: string, parameters: URLSearchParams, authorization: string | undefined): object => {
    const expected = method === 'apps.connections.open' ? tokens.app : tokens.bot
    if (fault === 'revoked') return { ok: false, error: 'token_revoked' }
    if (authorization !== `Bearer ${expected}`) return { ok: false, error: 'invalid_auth' }
    const error = errors.get(method)
    if (error !== undefined) return { ok: false, error }
    const parameter = (name: string): string => parameters.get(name) ?? ''
    switch (method) {
      case 'auth.test':
        return { ok: true, url: baseUrl(), team: 'Town', user: 'agent', team_id: 'T1', user_id: 'UAGENT', bot_id: 'BAGENT' }
      case 'apps.connections.open':
        return { ok: true, url: `ws://127.0.0.1:${port}/link?ticket=canary-ticket&app_id=A1` }
      case 'chat.postMessage':
        return fault === 'rejecting' ? { ok: false, error: 'is_archived' } : post(parameter)
      case 'chat.update':
        return update(parameter)
      case 'files.getUploadURLExternal': {
        const id = `FUP${uploads.size + 1}`
        uploads.set(id, { name: parameter('filename'), bytes: new Uint8Array() })
        return { ok: true, file_id: id, upload_url: `${baseUrl()}/upload/${id}` }
      }
      case 'files.completeUploadExternal':
        return share(parameter)
      case 'files.info':
        return files.has(parameter('file'))
          ? { ok: true, file: { id: parameter('file'), url_private_download: `${baseUrl()}/content/${parameter('file')}` } }
          : { ok: false, error: 'file_not_found' }
      default:
        return { ok: false, error: 'unknown_method' }
    }
  }

  type Parameter = (name: string) => string
  const nextTime = (): string => {
    count += 1
    return `1790000100.${String(count).padStart(6, '0')}`
  }
  const conversationOf = (channel: string, thread: string): string => (thread === '' ? channel : `${channel}:${thread}`)
  const post = (parameter: Parameter): object => {
    const ts = nextTime()
    const channel = parameter('channel')
    sent.push({ id: `${channel}:${ts}`, conversationId: conversationOf(channel, parameter('thread_ts')), ...shownText(parameter) })
    return { ok: true, channel, ts, message: { type: 'message', ts } }
  }
  const update = (parameter: Parameter): object => {
    const id = `${parameter('channel')}:${parameter('ts')}`
    const at = sent.findIndex((each) => each.id === id)
    const before = sent[at]
    if (before === undefined) return { ok: false, error: 'message_not_found' }
    sent[at] = { id, conversationId: before.conversationId, ...shownText(parameter) }
    return { ok: true, channel: parameter('channel'), ts: parameter('ts') }
  }
  const share = (parameter: Parameter): object => {
    const given = JSON.parse(parameter('files')) as readonly { readonly id: string; readonly title: string }[]
    const shared = given.map(({ id, title }) => ({ name: title, bytes: uploads.get(id)?.bytes ?? new Uint8Array() }))
    const channel = parameter('channel_id')
    const text = shownText((name) => parameter(name === 'text' ? 'initial_comment' : name))
    sent.push({ id: `${channel}:${nextTime()}`, conversationId: conversationOf(channel, parameter('thread_ts')), ...text, files: shared })
    return { ok: true, files: given.map(({ id }) => ({ id })) }
  }

  const baseUrl = (): string => `http://127.0.0.1:${port}`
  const breakAll = async (): Promise<void> => {
    const open = [...sockets]
    const closed = open.map((socket) => (socket.destroyed ? undefined : once(socket, 'close')))
    for (const socket of open) socket.resetAndDestroy()
    await Promise.all(closed)
  }
  const start = async (): Promise<void> => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await start()
  return {
    ...{ sent, calls, files, links, sockets, errors, elsewhere, breakAll, start },
    baseUrl: baseUrl(),
    onAcknowledged(listener) {
      acknowledged = listener
    },
    onLink(listener) {
      linked = listener
    },
    get uploadsWithToken() {
      return uploadsWithToken
    },
    get fault() {
      return fault
    },
    set fault(value) {
      fault = value
    },
    async stop() {
      if (server.listening) server.close()
      await breakAll()
    },
  }
}
