import { abortable, untilAborted } from '@agent-service/sdk/async'
import {
  type ChannelDelivery,
  type ChannelEdit,
  type ChannelHost,
  type ChannelReceipt,
  type ChannelSession,
  channelErrorKindOf,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import { type SlackApi, unreadable } from './api.js'
import { downloadFile, uploadFile } from './files.js'
import { isRevocation, messageOfEvent, messageOfInteraction, type SlackAccount } from './incoming.js'
import { mrkdwnOf } from './mrkdwn.js'
import { blocksOf, targetOf } from './outgoing.js'
import { slack } from './refusals.js'
import type { Envelope, SlackSocket } from './socket.js'
import { answerWebhook } from './webhook.js'

/** What a session is made of. */
export interface SessionParts {
  readonly api: SlackApi
  readonly botToken: string
  readonly account: SlackAccount & { readonly name: string }
  readonly host: ChannelHost
  /** Messages come over a connection of Socket Mode, or to the webhook, signed with a secret. */
  readonly events: { readonly socket: SlackSocket } | { readonly signingSecret: string }
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Of the session: whatever waits ends with its reason. */
  readonly life: AbortSignal
}

type Options = { readonly signal: AbortSignal }

/** A session. Calls that are on their way when the connection breaks still end by themselves. */
export function createSession(parts: SessionParts): ChannelSession {
  const { account, events, api, botToken: token, host, now, life } = parts
  let end: Error | undefined
  const within = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted()
    life.throwIfAborted()
    if (end !== undefined) throw end
    return AbortSignal.any([signal, life])
  }
  return {
    account: { id: account.userId, name: account.name },
    ...('socket' in events
      ? {
          async run({ signal }: Options) {
            try {
              await receiveAll(events.socket, parts, AbortSignal.any([signal, life]))
              end = ended()
            } catch (error) {
              end = channelErrorKindOf(error) === 'auth' ? (error as Error) : ended()
              signal.throwIfAborted()
              throw error
            } finally {
              events.socket.close()
            }
          },
        }
      : {
          webhook: (request, { signal }) =>
            abortable(() => answerWebhook(request, { signingSecret: events.signingSecret, account, host, now }), within(signal)),
        }),
    send: async (delivery, { signal }) => send(parts, delivery, within(signal)),
    edit: async (change, { signal }) => edit(parts, change, within(signal)),
    async *download(attachment, { signal }) {
      yield* downloadFile({ api, token }, attachment, within(signal))
    },
  } satisfies ChannelSession
}

const ended = (): Error => channelUnavailableError.create({ channel: slack, reason: 'the connection has ended' })

/** Takes envelopes one after the other, and acknowledges each once it is stored. */
async function receiveAll(socket: SlackSocket, { host, account }: SessionParts, signal: AbortSignal): Promise<void> {
  for await (const { id, type, payload } of untilAborted(socket.envelopes, signal)) {
    const message = messageOf({ id, type, payload }, account)
    if (message !== undefined) await abortable(() => host.receive({ messages: [message] }), signal)
    await abortable(() => socket.acknowledge(id), signal)
    if (type === 'events_api' && isRevocation(payload, account))
      throw channelUnauthorizedError.create({ channel: slack, reason: 'revoked' })
  }
}

function messageOf({ type, payload }: Envelope, account: SlackAccount) {
  if (type === 'events_api') return messageOfEvent(payload, account)
  return type === 'interactive' ? messageOfInteraction(payload, account) : undefined
}

/** What a text would do besides being read: links are not opened by Slack, which would tell their servers what they hold. */
const quiet = { unfurl_links: 'false', unfurl_media: 'false' } as const

async function send(parts: SessionParts, delivery: ChannelDelivery, signal: AbortSignal): Promise<ChannelReceipt> {
  const { api, botToken: token } = parts
  const { text, buttons = [], attachments = [] } = delivery
  const { channel, ...thread } = targetOf(delivery.conversationId)
  const blocks = buttons.length > 0 ? { blocks: JSON.stringify(blocksOf(text, buttons)) } : undefined
  if (attachments.length > 0) {
    const files: { readonly id: string; readonly title: string }[] = []
    for (const file of attachments) files.push({ id: await uploadFile({ api, token }, file, signal), title: file.name })
    const comment = blocks ?? (text === '' ? {} : { initial_comment: mrkdwnOf(text) })
    const shared = { files: JSON.stringify(files), channel_id: channel, ...thread, ...comment }
    await api.call('files.completeUploadExternal', shared, { token, signal, sending: true, scope: 'files:write' })
    // Slack shares files some time later, and does not say as which message.
    return {}
  }
  const message = { channel, ...thread, text: mrkdwnOf(text), ...blocks, ...quiet }
  const answer = await api.call('chat.postMessage', message, { token, signal, sending: true })
  if (typeof answer['ts'] !== 'string') throw unreadable(true)
  return { id: `${String(answer['channel'] ?? channel)}:${answer['ts']}` }
}

async function edit({ api, botToken: token }: SessionParts, change: ChannelEdit, signal: AbortSignal): Promise<void> {
  const { id, text, buttons = [] } = change
  const { channel, thread_ts: ts = '' } = targetOf(id)
  const blocks = buttons.length > 0 ? blocksOf(text, buttons) : []
  await api.call('chat.update', { channel, ts, text: mrkdwnOf(text), blocks: JSON.stringify(blocks) }, { token, signal, sending: true })
}
