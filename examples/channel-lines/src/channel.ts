import type { Socket } from 'node:net'
import { Type } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { callVendor } from '@agent-service/sdk/channels'
import type { Channel, ChannelHost, ChannelMessage, ChannelSession } from '@agent-service/sdk/contracts/channel'
import * as contract from '@agent-service/sdk/contracts/channel'
import { channel, type Line, type Lines, linesOf, openSocket, writeLine } from './lines.js'

/** A channel to servers that speak the protocol of the README. `limitMs`: the longest wait for an answer. */
export const createLinesChannel = ({ limitMs = 10_000 } = {}): Channel =>
  contract.defineChannel({
    id: 'lines',
    title: channel,
    connection: Type.Object({
      host: Type.String({ title: 'Server', minLength: 1 }),
      port: Type.Integer({ title: 'Port', minimum: 1, maximum: 65_535 }),
      token: Type.String({ title: 'Token', minLength: 1, 'x-secret': true }),
    }),
    setUp: [{ title: 'Make a token', text: 'Write `/token` to the server, and copy its answer.', members: ['host', 'port', 'token'] }],
    limits: { text: { unit: 'characters', max: 2_000 } },
    supports: { groups: true, idempotentSend: true },
    connect({ members, origin }, host, { signal }) {
      const open = async () => {
        const socket = await openSocket(String(members['host']), Number(members['port']), origin === 'user', signal)
        const lines = linesOf(socket)
        socket.setTimeout(limitMs, () => socket.destroy(new Error('The server does not answer.')))
        writeLine(socket, { type: 'hello', token: String(members['token']) })
        const { value: line } = await lines.next()
        socket.setTimeout(0)
        if (line.type === 'welcome') return openSession(socket, lines, host, line, limitMs)
        socket.destroy()
        throw failureOf(line)
      }
      return callVendor(open, { channel, signal })
    },
  })

function openSession(socket: Socket, lines: Lines, host: ChannelHost, welcome: Line, limitMs: number): ChannelSession {
  const account = { id: String(welcome['account']), name: String(welcome['name']) }
  const waiting = new Map<string, { resolve(answer: Line): void; reject(error: unknown): void }>()
  return {
    account,
    async run({ signal }) {
      try {
        for await (const line of lines) {
          if (line.type === 'denied') throw failureOf(line)
          if (line.type !== 'message') waiting.get(String(line['key']))?.resolve(line)
          else if (line['sender'] !== account.id) {
            await host.receive({ messages: [messageOf(line)] })
            writeLine(socket, { type: 'stored', id: line['id'] })
          }
        }
      } catch (error) {
        for (const { reject } of waiting.values()) reject(contract.channelErrorKindOf(error) === 'auth' ? error : undefined)
        socket.destroy()
        throw signal.aborted ? signal.reason : error
      }
    },
    send({ id: key, conversationId, text }, { signal }) {
      const ask = async (within: AbortSignal) => {
        if (socket.destroyed) throw contract.channelUnavailableError.create({ channel, reason: 'the connection has ended' })
        const answer = new Promise<Line>((resolve, reject) => waiting.set(key, { resolve, reject }))
        writeLine(socket, { type: 'send', key, conversation: conversationId, text })
        const line = await abortable(answer, within).finally(() => waiting.delete(key))
        if (line.type === 'sent') return { id: String(line['id']) }
        throw failureOf(line)
      }
      return callVendor(ask, { channel, signal, limitMs, sending: true })
    },
  }
}

/** A message out of a line. What is wrong with it the service finds. */
const messageOf = ({ id, conversation, group, sender, bot, text, at, mentioned }: Line): ChannelMessage => ({
  ...{ id: String(id), text: String(text), at: Number(at), mentioned: !group || mentioned === true },
  conversation: { id: String(conversation), kind: group ? 'group' : 'direct' },
  sender: { id: String(sender), bot: bot === true },
})

function failureOf({ type, seconds }: Line): Error | undefined {
  if (type === 'denied') return contract.channelUnauthorizedError.create({ channel, reason: 'unknown' })
  if (type === 'wait') return contract.channelThrottledError.create({ channel, retryAfterMs: Number(seconds) * 1_000 })
  if (type === 'refused') return contract.channelRejectedError.create({ channel, reason: 'it refuses the message' })
  return type === 'failed' ? contract.channelUnavailableError.create({ channel, reason: 'it has failed' }) : undefined
}
