import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ChannelConnection, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchMessage, ChannelBenchSent, ChannelFault } from '@agent-service/sdk/testing'
import { type WebSocket, WebSocketServer } from 'ws'
import { createDiscordChannel, type DiscordChannelOptions } from '../channel.js'

export const token = 'canary.of-the.bot'
export const accountId = '700000000000000001'
const users = { person: '700000000000000002', bot: '700000000000000003', account: accountId } as const
const places = { direct: '800000000000000001', group: '800000000000000002' } as const

type Fields = Readonly<Record<string, unknown>>

/** A bench with what tests of the gateway need besides. */
export interface DiscordBench extends ChannelBench {
  /** What bots have sent to the gateway. */
  readonly frames: Fields[]
  readonly links: ReadonlySet<WebSocket>
  /** Bodies of requests with messages. */
  readonly bodies: Fields[]
  /** The paths with which presses were answered. */
  readonly callbacks: string[]
  /** Resolves with the path of the next answer to a press. */
  answered(): Promise<unknown>
  dispatch(type: string, data: object): void
  /** The sessions so far cannot be resumed. */
  forget(): void
  readonly address: string
}

/** A server of the API and of the gateway, as a bench of the suite. */
export async function createDiscordBench(options: DiscordChannelOptions = {}): Promise<DiscordBench> {
  const sockets = new Set<Socket>()
  const links = new Set<WebSocket>()
  const log: { readonly op: 0; readonly t: string; readonly s: number; readonly d: object }[] = []
  const messages = new Map<string, Fields>()
  const contents = new Map<string, Uint8Array>()
  const sent: (ChannelBenchSent & { readonly id: string })[] = []
  const nonces = new Map<string, string>()
  const typing: string[] = []
  const frames: Fields[] = []
  const bodies: Fields[] = []
  const callbacks: string[] = []
  const answers = new EventEmitter()
  let fault: ChannelFault | undefined
  const sessions = new Set<unknown>()
  let count = 0
  let port = 0

  const nextId = (): string => {
    count += 1
    return String((1_790_000_000_000n - 1_420_070_400_000n + BigInt(count)) << 22n)
  }
  const tell = (link: WebSocket, frame: object): void => link.send(JSON.stringify(frame))
  const dispatch = (t: string, d: object): void => {
    const event = { op: 0, t, s: log.length + 1, d } as const
    log.push(event)
    for (const link of links) tell(link, event)
  }
  const webSockets = new WebSocketServer({ noServer: true })
  const hear = (link: WebSocket, frame: Fields): void => {
    frames.push(frame)
    const data = frame['d'] as Fields
    if (frame['op'] === 1) tell(link, { op: 11 })
    else if ((frame['op'] === 2 || frame['op'] === 6) && data['token'] !== token) link.close(4004)
    else if (frame['op'] === 2) {
      const sessionId = `session-${frames.length}`
      sessions.add(sessionId)
      const url = `ws://127.0.0.1:${port}`
      const ready = {
        op: 0,
        t: 'READY',
        s: log.length + 1,
        d: { session_id: sessionId, resume_gateway_url: url, user: { id: accountId } },
      } as const
      log.push(ready)
      links.add(link)
      tell(link, ready)
    } else if (frame['op'] === 6 && !sessions.has(data['session_id'])) tell(link, { op: 9, d: false })
    else if (frame['op'] === 6) {
      links.add(link)
      for (const event of log) if (event.s > Number(data['seq'])) tell(link, event)
      tell(link, { op: 0, t: 'RESUMED', s: log.length, d: {} })
    }
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket, head) =>
    webSockets.handleUpgrade(request, socket, head, (link) => {
      link.on('error', () => undefined)
      link.on('close', () => links.delete(link))
      link.on('message', (bytes) => hear(link, JSON.parse(String(bytes)) as Fields))
      tell(link, { op: 10, d: { heartbeat_interval: 41_250 } })
    }),
  )
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const answer = (status: number, content: unknown, headers: Record<string, string> = {}): void => {
      const body = content instanceof Uint8Array ? content : JSON.stringify(content)
      response.writeHead(status, { connection: 'close', ...headers }).end(status === 204 ? undefined : body)
    }
    if (fault === 'silent') return
    if (fault === 'failing') return answer(500, {})
    if (fault === 'garbled') return answer(200, Buffer.from('<html>'))
    if (fault === 'throttled') return answer(429, { retry_after: 3 }, { 'retry-after': '3' })
    const path = (request.url ?? '').replace('/api/v10', '')
    const content = contents.get(path)
    if (content) return answer(200, content)
    if (path.startsWith('/interactions/')) {
      callbacks.push(path)
      answers.emit('answer', path)
      return answer(204, '')
    }
    if (fault === 'revoked' || request.headers.authorization !== `Bot ${token}`) return answer(401, {})
    if (path === '/users/@me') return answer(200, { id: accountId, username: 'agent' })
    if (path === '/gateway/bot') return answer(200, { url: `ws://127.0.0.1:${port}`, shards: 1 })
    const [, channel = '', id] = /^\/channels\/(\d+)\/(?:messages\/?(\d+)?|typing)$/.exec(path) ?? []
    if (path.endsWith('/typing')) {
      typing.push(channel)
      return answer(204, '')
    }
    if (request.method === 'GET') return messages.has(id ?? '') ? answer(200, messages.get(id ?? '')) : answer(404, {})
    if (fault === 'rejecting') return answer(403, { code: 50_007 })
    const { body, files } = await readMessage(Buffer.concat(pieces), request.headers['content-type'] ?? '')
    bodies.push(body)
    const result = id === undefined ? post(channel, body, files) : change(id, body)
    if (fault === 'losing') request.socket.resetAndDestroy()
    else answer(result === undefined ? 404 : 200, { id: result })
  }
  const post = (channel: string, body: Fields, files: NonNullable<ChannelBenchSent['files']>): string => {
    const known = nonces.get(String(body['nonce']))
    if (known !== undefined && body['enforce_nonce'] === true) return known
    const id = nextId()
    nonces.set(String(body['nonce']), id)
    const replyTo = (body['message_reference'] as Fields | undefined)?.['message_id']
    sent.push({
      ...{ id, conversationId: channel, ...shownOf(body) },
      ...(typeof replyTo === 'string' && { replyTo }),
      ...(files.length > 0 && { files }),
    })
    return id
  }
  const change = (id: string, body: Fields): string | undefined => {
    const at = sent.findIndex((each) => each.id === id)
    const before = sent[at]
    if (before === undefined) return undefined
    sent[at] = { id, conversationId: before.conversationId, ...shownOf(body) }
    return id
  }
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
  const stop = async (): Promise<void> => {
    if (server.listening) server.close()
    await breakAll()
  }
  await start()

  const deliver = async (message: ChannelBenchMessage): Promise<ChannelMessage> => {
    const { place, text, by = 'person', mention, replyTo, button, attachments = [] } = message
    const [id, channel] = [nextId(), places[place]]
    const at = Number(BigInt(id) >> 22n) + 1_420_070_400_000
    const guild = place === 'group' ? { guild_id: '900000000000000001' } : {}
    const expected: ChannelMessage = {
      ...{ id, at, conversation: { id: channel, kind: place }, sender: { id: users[by], bot: by === 'bot' } },
      text: `${mention === 'everyone' ? '@everyone ' : ''}${text.slice(0, 100_000)}`,
      mentioned: place === 'direct' || mention === 'account',
      ...(replyTo !== undefined && { replyTo }),
      ...(button !== undefined && { button }),
      ...(attachments.length > 0 && { attachments: attachments.map(({ name }, index) => ({ id: String(index), name })) }),
    }
    if (button !== undefined) {
      const components = [{ type: 1, components: [{ type: 2, label: text, custom_id: button }] }]
      const data = { component_type: 2, custom_id: button }
      const pressed = { author: { id: accountId }, components }
      dispatch('INTERACTION_CREATE', {
        id,
        token: 'canary-press',
        type: 3,
        channel_id: channel,
        user: { id: users[by] },
        data,
        message: pressed,
        ...guild,
      })
      return expected
    }
    const files = attachments.map(({ name, mediaType, bytes }) => {
      const file = nextId()
      contents.set(`/files/${file}`, bytes)
      return { id: file, filename: name, content_type: mediaType, size: bytes.length, url: `http://127.0.0.1:${port}/files/${file}` }
    })
    const event = {
      ...{
        id,
        channel_id: channel,
        type: replyTo === undefined ? 0 : 19,
        attachments: files,
        mention_everyone: mention === 'everyone',
        ...guild,
      },
      author: { id: users[by], username: by, bot: by !== 'person' },
      content: `${mention === 'account' ? `<@${accountId}> ` : mention === 'everyone' ? '@everyone ' : ''}${text}`,
      mentions: mention === 'account' ? [{ id: accountId, username: 'agent' }] : [],
      ...(replyTo !== undefined && { message_reference: { message_id: replyTo }, referenced_message: { author: { id: accountId } } }),
    }
    messages.set(id, event)
    dispatch('MESSAGE_CREATE', event)
    return expected
  }
  const connection: ChannelConnection = { id: 'one', origin: 'user', members: { token } }
  const hosts = { gatewayHost: `127.0.0.1:${port}`, fileHost: `127.0.0.1:${port}` }
  return {
    ...{ frames, links, bodies, callbacks, dispatch, deliver, connection, address: `http://127.0.0.1:${port}` },
    channel: createDiscordChannel({ baseUrl: `http://127.0.0.1:${port}`, ...hosts, limitMs: 300, ...options }),
    wrong: { 'another token': { ...connection, members: { token: 'canary.of.none' } } },
    invalid: { 'a token with a line break': { ...connection, members: { token: 'canary\r\nx: y' } } },
    answered: async () => (await once(answers, 'answer'))[0],
    forget() {
      sessions.clear()
    },
    async redeliver(id) {
      dispatch('MESSAGE_CREATE', messages.get(id) ?? {})
    },
    acknowledged: () => [],
    async garble() {
      const texts = [
        '{',
        'null',
        '[]',
        '"text"',
        '{"op":0}',
        '{"op":0,"t":"MESSAGE_CREATE","d":7}',
        '{"op":0,"t":"MESSAGE_CREATE","d":{"id":"x"}}',
      ]
      for (const link of links) for (const text of texts) link.send(text)
    },
    sent: () => sent,
    typing: () => typing,
    marks: {
      texts: ['@everyone', '@here', '<@&900000000000000002>', `<@${users.person}>`],
      // Without `allowed_mentions` everyone who is named in the text is called.
      acted: () => bodies.filter((body) => String((body['allowed_mentions'] as Fields | undefined)?.['parse']) !== '').length,
    },
    connections: () => sockets.size,
    drop: breakAll,
    async break(given) {
      fault = given
      if (given === 'down') await stop()
      if (given === 'revoked') for (const link of links) link.close(4004)
    },
    async mend() {
      fault = undefined
      await start()
    },
    close: stop,
  }
}

async function readMessage(bytes: Buffer, type: string) {
  if (!type.startsWith('multipart/')) return { body: JSON.parse(String(bytes)) as Fields, files: [] }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files: { readonly name: string; readonly bytes: Uint8Array }[] = []
  for (const value of form.values())
    if (typeof value !== 'string') files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  return { body: JSON.parse(String(form.get('payload_json'))) as Fields, files }
}

function shownOf(body: Fields): {
  readonly text: string
  readonly buttons?: readonly { readonly label: string; readonly value: string }[]
} {
  const rows = (body['components'] ?? []) as readonly {
    readonly components: readonly { readonly label: string; readonly custom_id: string }[]
  }[]
  const buttons = rows.flatMap(({ components }) => components.map(({ label, custom_id: value }) => ({ label, value })))
  return { text: String(body['content']), ...(buttons.length > 0 && { buttons }) }
}
