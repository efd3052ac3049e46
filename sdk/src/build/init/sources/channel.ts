import { wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A chat that is polled over HTTP, and a server of it for the test. */
export const channelSources = (id: string): PluginSources => {
  const word = wordOf(id, 'channel')
  return {
    index: indexText(id),
    test: testText(word),
    more: {
      'create-channel.ts': createChannelText(word),
      'vendor.test.ts': vendorText,
    },
  }
}

const indexText = (id: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createChannel } from './create-channel.js'

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['channel'],
    config: Type.Object({ base_url: Type.String({ default: 'https://chat.example', format: 'uri' }) }),
    permissions: [{ kind: 'network', targetsFromConfiguration: ['/base_url'], reason: 'Reads and sends messages at the vendor.' }],
  },
  setup: (context) => context.contribute(channels, createChannel({ baseUrl: context.config.base_url })),
})
`

const testText = (word: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext, describeChannel } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createBench } from './vendor.test.js'

// Every rule of the contract.
describeChannel({
  name: '${word}',
  create: createBench,
  supports: { idempotentSend: true },
  faults: ['down', 'failing', 'silent', 'garbled', 'throttled', 'revoked', 'rejecting', 'losing'],
  runner,
})

runner.it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.equal(test.contributed(channels)[0]?.id, '${word}')
  await test.dispose()
})
`

const createChannelText = (word: string): string => `import { type JsonObject, Type } from '@agent-service/sdk'
import { readText } from '@agent-service/sdk/async'
import { callVendor, channelHttpFailure, listOf, parsedJson, retryAfterOf, textOf, valuesOf } from '@agent-service/sdk/channels'
import {
  type ChannelHost,
  type ChannelMessage,
  type ChannelSession,
  channelOutcomeUnknownError,
  channelUnavailableError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'

const channel = 'A chat'
const maxBytes = 4 * 1024 * 1024

/** Calls of the vendor. An own server in tests: \`baseUrl\`; \`limitMs\` is the longest wait for an answer. */
export const createChannel = ({ baseUrl = 'https://chat.example', limitMs = 60_000 } = {}) => {
  const createCall = (token: string) => (path: string, body: JsonObject, { signal, sending = false }: CallOptions) =>
    callVendor(
      async (within) => {
        const headers = { authorization: \`Bearer \${token}\` }
        const response = await fetch(new URL(path, baseUrl), { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error', signal: within })
        const { status } = response
        const text = response.body === null ? '' : await readText(response.body, { maxBytes, signal: within })
        if (status !== 200)
          throw channelHttpFailure({ channel, status, sending, retryAfterMs: retryAfterOf(response.headers.get('retry-after') ?? undefined) })
        return valuesOf(parsedJson(text))
      },
      { channel, signal, sending, limitMs },
    )
  return defineChannel({
    id: '${word}',
    title: channel,
    connection: Type.Object({ token: Type.String({ title: 'Token', minLength: 1, 'x-secret': true }) }),
    setUp: [{ title: 'Make a bot', text: 'Copy the token of a bot of yours.', members: ['token'] }],
    limits: { text: { unit: 'characters', max: 2_000 } },
    supports: { idempotentSend: true },
    async connect({ members }, host, { signal }) {
      const call = createCall(String(members['token']))
      const { id, name } = await call('/me', {}, { signal })
      if (textOf(id) === undefined) throw unreadable()
      return createSession(call, host, { id: String(id), name: String(name) })
    },
  })
}

interface CallOptions {
  readonly signal: AbortSignal
  readonly sending?: boolean
}
type Call = (path: string, body: JsonObject, options: CallOptions) => Promise<Readonly<Record<string, unknown>>>

function createSession(call: Call, host: ChannelHost, account: ChannelSession['account']): ChannelSession {
  let isOver = false
  return {
    account,
    async run({ signal }) {
      try {
        await receiveAll(call, host, signal)
      } finally {
        isOver = true
      }
    },
    async send({ id: key, conversationId, text }, { signal }) {
      if (isOver) throw channelUnavailableError.create({ channel, reason: 'the session has ended' })
      const { message_id } = await call('/send', { key, conversation: conversationId, text }, { signal, sending: true })
      if (textOf(message_id) === undefined) throw channelOutcomeUnknownError.create({ channel, reason: 'its answer cannot be read' })
      return { id: String(message_id) }
    },
  }
}

async function receiveAll(call: Call, host: ChannelHost, signal: AbortSignal): Promise<void> {
  let after = Number((await host.state())?.['after'] ?? 0)
  for (;;) {
    // The vendor holds the request until there is something, and keeps what is not acknowledged by \`after\`.
    const { updates } = await call('/updates', { after }, { signal })
    if (!Array.isArray(updates)) throw unreadable()
    const read = listOf(updates).map(valuesOf)
    after = Math.max(after, ...read.map(({ number }) => Number(number) || 0))
    await host.receive({ messages: read.flatMap((update) => messageOf(update) ?? []), state: { after } })
  }
}

/** A message out of an update; undefined for an update of another kind. */
function messageOf({ message }: Readonly<Record<string, unknown>>): ChannelMessage | undefined {
  const { id, from, text, at } = valuesOf(message)
  if (textOf(id) === undefined || textOf(from) === undefined || textOf(text) === undefined) return undefined
  return {
    ...{ id: String(id), text: String(text), at: Number(at), mentioned: true },
    conversation: { id: String(from), kind: 'direct' },
    sender: { id: String(from), bot: false },
  }
}

const unreadable = (): Error => channelUnavailableError.create({ channel, reason: 'its answer cannot be read' })
`

const vendorText = `import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@agent-service/sdk'
import type { ChannelConnection, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchSent, ChannelFault } from '@agent-service/sdk/testing'
import { createChannel } from './create-channel.js'

const token = 'token-of-the-test-1'
const statuses: Readonly<Partial<Record<ChannelFault, number>>> = { failing: 500, throttled: 429, revoked: 401 }

interface Update {
  readonly number: number
  readonly message?: JsonObject
}

/** A vendor in this process, which the suite steers. */
export async function createBench(): Promise<ChannelBench> {
  const updates: Update[] = []
  const waiting = new Map<ServerResponse, number>()
  const open = new Set<ServerResponse>()
  const sent = new Map<string, ChannelBenchSent>()
  let acknowledgedTo = 0
  let fault: ChannelFault | undefined

  const answer = (response: ServerResponse, body: JsonObject): void => void response.end(JSON.stringify(body))
  const resetAll = (): void => {
    for (const response of open) response.socket?.resetAndDestroy()
  }
  const refuse = (response: ServerResponse): boolean => {
    const status = fault && statuses[fault]
    if (fault === 'garbled') response.end('<html>')
    else if (status !== undefined) response.writeHead(status, { 'retry-after': '3' }).end()
    return fault === 'silent' || response.writableEnded
  }
  const deliver = (): void => {
    for (const [response, after] of waiting) {
      const news = updates.filter(({ number }) => number > after)
      if (news.length === 0) continue
      waiting.delete(response)
      answer(response, { updates: news as unknown as JsonObject[] })
    }
  }
  const add = (message?: JsonObject): void => {
    updates.push({ number: updates.length + 1, ...(message && { message }) })
    if (fault !== 'silent') deliver()
  }
  const send = (response: ServerResponse, { key, conversation, text }: Readonly<Record<string, string>>): void => {
    if (fault === 'rejecting') return void response.writeHead(400).end()
    const message = sent.get(String(key)) ?? { id: \`sent-\${sent.size}\`, conversationId: String(conversation), text: String(text) }
    sent.set(String(key), message)
    if (fault === 'losing') response.socket?.resetAndDestroy()
    else answer(response, { message_id: String(message.id) })
  }
  const serve = (path: string, body: Readonly<Record<string, string>>, response: ServerResponse): void => {
    if (path === '/me') answer(response, { id: 'agent', name: '@agent' })
    else if (path === '/send') send(response, body)
    else {
      acknowledgedTo = Math.max(acknowledgedTo, Number(body['after']))
      waiting.set(response, Number(body['after']))
      deliver()
    }
  }

  const server = createServer(async (request, response) => {
    open.add(response)
    response.on('close', () => {
      open.delete(response)
      waiting.delete(response)
    })
    const pieces: Buffer[] = await request.toArray()
    // Who reads is not asked to wait.
    if (!(fault === 'throttled' && request.url === '/updates') && refuse(response)) return
    if (request.headers.authorization !== \`Bearer \${token}\`) response.writeHead(401).end()
    else serve(request.url ?? '', JSON.parse(Buffer.concat(pieces).toString()), response)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    resetAll()
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const connection: ChannelConnection = { id: 'one', origin: 'user', members: { token } }
  return {
    channel: createChannel({ baseUrl: \`http://127.0.0.1:\${port}\`, limitMs: 2_000 }),
    connection,
    wrong: { 'another token': { ...connection, members: { token: 'token-of-none-2' } } },
    async deliver({ text }) {
      const id = \`message-\${updates.length + 1}\`
      const at = 1_790_000_000_000 + updates.length
      add({ id, from: 'ann', text, at })
      return { id, text, at, mentioned: true, conversation: { id: 'ann', kind: 'direct' }, sender: { id: 'ann', bot: false } } satisfies ChannelMessage
    },
    redeliver: async (id) => add(updates.find(({ message }) => message?.['id'] === id)?.message),
    acknowledged: () => updates.flatMap(({ number, message }) => (message && number <= acknowledgedTo ? [String(message['id'])] : [])),
    async garble() {
      add()
      add({ id: 7, from: null })
    },
    sent: () => [...sent.values()],
    connections: () => open.size,
    drop: async () => resetAll(),
    async break(next) {
      fault = next
      if (next === 'down') await stop()
      if (next === 'revoked') for (const response of open) refuse(response)
    },
    async mend() {
      fault = undefined
      if (!server.listening) await listen(port)
    },
    close: stop,
  }
}
`
