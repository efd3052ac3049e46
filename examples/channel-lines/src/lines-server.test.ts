import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchMessage, ChannelBenchSent, ChannelFault } from '@agent-service/sdk/testing'
import { createLinesChannel } from './channel.js'
import { type Line, linesOf, writeLine } from './lines.js'

const token = 'canary-of-the-token'

/** What the server answers to everything while something is wrong with it. */
const refusals: Readonly<Partial<Record<ChannelFault, Line>>> = {
  throttled: { type: 'wait', seconds: 3 },
  failing: { type: 'failed' },
  revoked: { type: 'denied' },
}

const senders = { person: 'ann', bot: 'clock', account: 'agent' } as const

/** A server of the protocol in this process, as a bench of the suite. */
export async function createLinesBench(): Promise<ChannelBench> {
  const sockets = new Set<Socket>()
  const signedIn = new Set<Socket>()
  const unstored = new Map<string, Line>()
  const stored: string[] = []
  const sent = new Map<string, ChannelBenchSent & { readonly id: string }>()
  const written = new Map<string, Line>()
  let fault: ChannelFault | undefined
  let connections = 0

  const broadcast = (line: Line): void => {
    if (fault !== 'silent') for (const socket of signedIn) writeLine(socket, line)
  }
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      signedIn.delete(socket)
    })
    if (fault === 'down') socket.resetAndDestroy()
    else serve(socket).catch(() => socket.destroy())
  })
  const serve = async (socket: Socket): Promise<void> => {
    for await (const line of linesOf(socket)) {
      if (fault === 'silent') continue
      if (fault === 'garbled') socket.write('<html>\n')
      else if (line.type === 'stored') acknowledge(String(line['id']))
      else if (line.type === 'hello') greet(socket, line)
      else if (line.type === 'send') take(socket, line)
    }
  }
  const acknowledge = (id: string): void => {
    unstored.delete(id)
    stored.push(id)
  }
  const greet = (socket: Socket, line: Line): void => {
    const refusal = fault === undefined ? undefined : refusals[fault]
    if (refusal !== undefined || line['token'] !== token) writeLine(socket, refusal ?? { type: 'denied' })
    else {
      signedIn.add(socket)
      writeLine(socket, { type: 'welcome', account: 'agent', name: '@agent' })
      for (const each of unstored.values()) writeLine(socket, each)
    }
  }
  const take = (socket: Socket, line: Line): void => {
    const { key, conversation, text } = line as Line & Readonly<Record<string, string>>
    const refusal = fault === 'rejecting' ? { type: 'refused' } : fault && refusals[fault]
    if (refusal) return void writeLine(socket, { ...refusal, key })
    const message = sent.get(String(key)) ?? { id: `sent-${sent.size}`, conversationId: String(conversation), text: String(text) }
    sent.set(String(key), message)
    if (fault === 'losing') socket.resetAndDestroy()
    else writeLine(socket, { type: 'sent', key, id: message.id })
  }
  const closeAll = async (reset: boolean): Promise<void> => {
    const open = [...sockets]
    const closed = open.map((socket) => (socket.destroyed ? undefined : once(socket, 'close')))
    for (const socket of open) {
      if (reset) socket.resetAndDestroy()
      else socket.destroy()
    }
    await Promise.all(closed)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connection = { id: 'one', origin: 'system', members: { host: '127.0.0.1', port, token } } as const
  return {
    channel: createLinesChannel({ limitMs: 200 }),
    connection,
    wrong: { 'another token': { ...connection, members: { ...connection.members, token: 'canary-of-none' } } },
    inward: { connection: { ...connection, origin: 'user' }, connections: () => connections },
    async deliver(message) {
      const line = lineOf(message, written.size + 1)
      written.set(String(line['id']), line)
      if (message.by !== 'account') unstored.set(String(line['id']), line)
      broadcast(line)
      return messageOf(line)
    },
    redeliver: async (id) => broadcast(written.get(id) ?? { type: 'nothing' }),
    acknowledged: () => stored,
    async garble() {
      for (const socket of signedIn) for (const noise of ['{', 'null', '[]', '{"type":7}', '']) socket.write(`${noise}\n`)
    },
    sent: () => [...sent.values()],
    marks: 'not applicable',
    connections: () => sockets.size,
    drop: () => closeAll(true),
    async break(given) {
      fault = given
      if (given === 'revoked') broadcast({ type: 'denied' })
      if (given === 'down') await closeAll(true)
    },
    async mend() {
      fault = undefined
    },
    async close() {
      server.close()
      await closeAll(false)
    },
  }
}

function lineOf({ place, by = 'person', mention, text }: ChannelBenchMessage, count: number): Line {
  const sender = senders[by]
  const group = place === 'group'
  return {
    ...{ type: 'message', id: `m${count}`, conversation: group ? 'printers' : 'ann', group, sender, bot: sender !== 'ann', text },
    ...{ at: 1_790_000_000_000 + count * 1_000, mentioned: mention === 'account' },
  }
}

function messageOf({ id, conversation, group, sender, bot, text, at, mentioned }: Line): ChannelMessage {
  return {
    ...{ id: String(id), text: String(text), at: Number(at), mentioned: group !== true || mentioned === true },
    conversation: { id: String(conversation), kind: group === true ? 'group' : 'direct' },
    sender: { id: String(sender), bot: bot === true },
  }
}
