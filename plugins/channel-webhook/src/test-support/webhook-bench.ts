import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readText } from '@agent-service/sdk/async'
import type { ChannelConnection, ChannelMessage, ChannelWebhookRequest } from '@agent-service/sdk/contracts/channel'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import type { ChannelBench, ChannelBenchHooks, ChannelBenchMessage, ChannelBenchSent, ChannelFault } from '@agent-service/sdk/testing'
import { createWebhookChannel } from '../channel.js'
import { isSigned, signatureOf } from '../signature.js'

type Fields = Readonly<Record<string, unknown>>

export const secret = 'canary-of-the-secret-of-the-webhook'
export const token = 'canary-of-the-token'
export const now = 1_790_000_500_000
const webhookUrl = 'https://agents.example/channels/one'
const senders = { person: 'ann', bot: 'clock', account: 'agent' } as const
const statuses: Readonly<Partial<Record<ChannelFault, number>>> = { failing: 500, throttled: 429, revoked: 401 }

/** A signed request, unless the headers say otherwise. */
export const requestOf = (body: object, headers?: Readonly<Record<string, string>>, at = now): ChannelWebhookRequest => {
  const bytes = Buffer.from(JSON.stringify(body))
  const signed = { 'x-signature': signatureOf({ secret, body: bytes, now: at }), authorization: `Bearer ${token}` }
  return { method: 'POST', url: webhookUrl, headers: headers ?? signed, body: bytes }
}

/** A program that posts messages, and takes answers at a server in this process. */
export async function createWebhookBench({ webhook }: ChannelBenchHooks, http: HttpClient): Promise<ChannelBench> {
  const sent = new Map<string, ChannelBenchSent & { readonly id: string }>()
  const typing: string[] = []
  const written = new Map<string, object>()
  const acknowledged: string[] = []
  let fault: ChannelFault | undefined
  // Short while nothing answers; on a busy machine an answer may take its time.
  const limits = {
    get answerMs() {
      return fault === 'silent' ? 300 : 20_000
    },
  }
  let open = 0
  let seen = 0
  let posts = Promise.resolve()

  const take = (response: ServerResponse, fields: Fields, key: string | undefined): void => {
    const { type, id, conversation_id, text, reply_to, buttons } = fields as Fields & Readonly<Record<string, string>> & { buttons?: [] }
    if (type === 'typing') typing.push(String(conversation_id))
    if (type === 'edit') {
      const [at, before] = [...sent].find(([, each]) => each.id === id) ?? []
      if (at !== undefined && before !== undefined) sent.set(at, { ...before, text: String(text) })
    }
    if (type !== 'message' || key === undefined) return void response.end(type === 'hello' ? '{"name":"Town desk"}' : '{}')
    if (fault === 'rejecting') return void response.writeHead(422).end()
    const message = sent.get(key) ?? {
      ...{ id: `sent-${sent.size}`, conversationId: String(conversation_id), text: String(text) },
      ...(reply_to !== undefined && { replyTo: reply_to }),
      ...(buttons && { buttons }),
    }
    sent.set(key, message)
    if (fault === 'losing') response.socket?.resetAndDestroy()
    else response.end(JSON.stringify({ id: message.id }))
  }
  const server = createServer((request, response) => {
    open += 1
    seen += 1
    response.setHeader('connection', 'close')
    response.on('close', () => {
      open -= 1
    })
    readText(request, { maxBytes: 1_000_000 }).then(
      (body) => {
        const header = String(request.headers['x-signature'])
        const good = isSigned(header, { secret, body: Buffer.from(body), now }) && request.headers.authorization === `Bearer ${token}`
        const status = good ? fault && statuses[fault] : 401
        if (fault === 'silent') return
        if (fault === 'garbled') response.end('<html>')
        else if (status !== undefined) response.writeHead(status, status === 429 ? { 'retry-after': '3' } : {}).end()
        else take(response, JSON.parse(body) as Fields, request.headers['idempotency-key'] as string | undefined)
      },
      () => response.destroy(),
    )
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
  const post = (body: object, id?: string): void => {
    posts = posts.then(async () => {
      const { status } = await webhook(requestOf(body))
      if (status === 200 && id !== undefined) acknowledged.push(id)
    })
  }
  const members = { url: `http://127.0.0.1:${port}/in`, secret, token }
  const connection: ChannelConnection = { id: 'one', origin: 'system', members, webhookUrl }
  return {
    channel: createWebhookChannel({ http, clock: { now: () => now }, limits }),
    connection,
    wrong: {
      'another secret': { ...connection, members: { ...members, secret: 'canary-of-another-secret-of-the-webhook' } },
      'another token': { ...connection, members: { ...members, token: 'canary-of-another-token' } },
    },
    invalid: {
      'an address that is none': { ...connection, members: { ...members, url: 'nowhere' } },
      'a short secret': { ...connection, members: { ...members, secret: 'canary-short' } },
    },
    inward: {
      connection: { ...connection, origin: 'user', members: { ...members, url: `https://127.0.0.1:${port}/in` } },
      connections: () => seen,
    },
    async deliver(message) {
      const { body, expected } = bodyOf(message, written.size + 1)
      written.set(expected.id, body)
      post(body, expected.id)
      return expected
    },
    redeliver: async (id) => post(written.get(id) ?? {}, id),
    acknowledged: () => acknowledged,
    async garble() {
      for (const body of [[], {}, { id: 7 }, { id: 'x', conversation: [], sender: null }, { id: 'a\nb' }]) post(body)
    },
    sent: () => [...sent.values()],
    typing: () => typing,
    forged() {
      const { body } = bodyOf({ place: 'direct', text: 'forged' }, 900)
      const good = requestOf(body)
      const bytes = Uint8Array.from(good.body, (byte, index) => (index === good.body.length - 3 ? byte ^ 1 : byte))
      return {
        'without a signature': requestOf(body, { authorization: `Bearer ${token}` }),
        'without the token': requestOf(body, { 'x-signature': String(good.headers['x-signature']) }),
        'with an empty signature': requestOf(body, { ...good.headers, 'x-signature': `t=${now / 1_000},v1=` }),
        'with one byte changed': { ...good, body: bytes },
        'with another time': requestOf(body, {
          ...good.headers,
          'x-signature': String(good.headers['x-signature']).replace('t=1790000500', 't=1790000501'),
        }),
        'copied and too old': requestOf(body, undefined, now - 301_000),
        'of the future': requestOf(body, undefined, now + 301_000),
      }
    },
    marks: 'not applicable',
    removal: 'not applicable',
    connections: () => open,
    drop: async () => server.closeAllConnections(),
    async break(given) {
      fault = given
      if (given === 'down') await stop()
    },
    async mend() {
      fault = undefined
      if (!server.listening) await listen(port)
    },
    close: stop,
  }
}

function bodyOf({ place, text, by = 'person', mention, replyTo, button, attachments }: ChannelBenchMessage, count: number) {
  const [id, group, sender] = [`m${count}`, place === 'group', senders[by]]
  const conversationId = group ? 'printers' : 'ann'
  const files = attachments?.map(({ name, mediaType, bytes }) => ({
    name,
    media_type: mediaType,
    content: Buffer.from(bytes).toString('base64'),
  }))
  const at = 1_790_000_000_000 + count
  const body = {
    ...{
      id,
      text,
      at,
      conversation: { id: conversationId, group },
      sender: { id: sender, bot: by === 'bot' },
      mentioned: mention === 'account',
    },
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(button !== undefined && { button }),
    ...(files && { attachments: files }),
  }
  const expected: ChannelMessage = {
    ...{ id, text, at, mentioned: !group || mention === 'account' },
    ...{ conversation: { id: conversationId, kind: group ? 'group' : 'direct' }, sender: { id: sender, bot: by === 'bot' } },
    ...(replyTo !== undefined && { replyTo }),
    ...(button !== undefined && { button }),
    ...(attachments && { attachments: attachments.map((_, index) => ({ id: String(index) })) }),
  }
  return { body, expected }
}
