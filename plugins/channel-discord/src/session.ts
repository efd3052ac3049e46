import { createHash } from 'node:crypto'
import { abortable, readBytes, signalWithin, untilAborted } from '@agent-service/sdk/async'
import { callVendor, listOf, valuesOf } from '@agent-service/sdk/channels'
import {
  type ChannelAttachment,
  type ChannelButton,
  type ChannelDelivery,
  type ChannelErrorKind,
  type ChannelHost,
  type ChannelReceipt,
  type ChannelSession,
  channelErrorKindOf,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import { type DiscordApi, discord, rejected, unreadable } from './api.js'
import type { Gateway, GatewayEvent } from './gateway.js'
import { anId, forwardedIn, messageOf, messageOfInteraction } from './incoming.js'

/** The largest file that is sent, in bytes: three of them fit into one request. */
export const maxFileBytes = 8 * 1_048_576

const transferMs = 300_000

/** What a session is made of. */
export interface SessionParts {
  readonly api: DiscordApi
  readonly account: { readonly id: string; readonly name: string }
  readonly host: ChannelHost
  readonly gateway: Gateway
  /** An address of an answer, if it is one of Discord's files. @throws `channel_unavailable`. */
  readonly fileAddressOf: (value: unknown) => URL
  readonly limitMs: number
  /** Told that Discord shows a press as failed although it was stored. */
  readonly onUnacknowledged: (kind: ChannelErrorKind) => void
  /** Of the session: whatever waits ends with its reason. */
  readonly life: AbortSignal
}

type Options = { readonly signal: AbortSignal }

/** A session. Calls that are on their way when the connection breaks still end by themselves. */
export function createSession(parts: SessionParts): ChannelSession {
  const { account, api, gateway, life } = parts
  let end: Error | undefined
  const within = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted()
    life.throwIfAborted()
    if (end !== undefined) throw end
    return AbortSignal.any([signal, life])
  }
  return {
    account,
    async run({ signal }: Options) {
      try {
        await receiveAll(parts, AbortSignal.any([signal, life]))
        end = ended()
      } catch (error) {
        end = channelErrorKindOf(error) === 'auth' ? (error as Error) : ended()
        signal.throwIfAborted()
        throw error
      } finally {
        gateway.close()
      }
    },
    send: async (delivery, { signal }) => send(api, delivery, within(signal)),
    async edit({ id, conversationId, text, buttons = [] }, { signal }) {
      const body = { content: text, allowed_mentions: noMentions, components: rowsOf(buttons) }
      const path = `/channels/${idOf(conversationId)}/messages/${idOf(id)}`
      await api({ method: 'PATCH', path, body, signal: within(signal), sending: true })
    },
    async typing(conversationId, { signal }) {
      await api({ method: 'POST', path: `/channels/${idOf(conversationId)}/typing`, signal: within(signal) })
    },
    async *download(attachment, { signal }) {
      yield* download(parts, attachment, within(signal))
    },
  } satisfies ChannelSession
}

const ended = (): Error => channelUnavailableError.create({ channel: discord, reason: 'the connection has ended' })

/** Stores events one after the other, each with where to go on after it. */
async function receiveAll(parts: SessionParts, signal: AbortSignal): Promise<void> {
  const { gateway, host, account } = parts
  for await (const event of untilAborted(gateway.events, signal)) {
    const message = readEvent(event, account.id)
    const isOfSession = event.type === 'READY' || event.type === 'INVALID'
    if (message === undefined && !isOfSession) continue
    const { sessionId = '', url = '', sequence = 0 } = event.next ?? {}
    const state = event.next === undefined ? {} : { account: account.id, session: sessionId, url, sequence }
    await abortable(() => host.receive({ messages: message === undefined ? [] : [message], state }), signal)
    if (event.type === 'INTERACTION_CREATE') acknowledge(parts, event, signal)
  }
}

function readEvent({ type, data }: GatewayEvent, accountId: string) {
  if (type === 'MESSAGE_CREATE') return messageOf(data, accountId)
  return type === 'INTERACTION_CREATE' ? messageOfInteraction(data, accountId) : undefined
}

/** Tells Discord that a press was taken, which otherwise shows that it failed. Nothing waits for it. */
function acknowledge({ api, onUnacknowledged }: SessionParts, { data }: GatewayEvent, signal: AbortSignal): void {
  const path = `/interactions/${encodeURIComponent(String(data['id']))}/${encodeURIComponent(String(data['token']))}/callback`
  // The press is stored and has its effect, whatever Discord shows.
  api({ method: 'POST', path, body: { type: 6 }, signal }).catch((error: unknown) => {
    if (!signal.aborted) onUnacknowledged(channelErrorKindOf(error))
  })
}

/** No text of a model calls anyone. */
const noMentions = { parse: [], replied_user: false } as const

/** Links are not opened for a preview, which would tell their servers what they hold. */
const suppressEmbeds = 1 << 2

async function send(api: DiscordApi, delivery: ChannelDelivery, signal: AbortSignal): Promise<ChannelReceipt> {
  const { id, conversationId, text, replyTo, buttons = [], attachments = [] } = delivery
  const message = {
    ...{ content: text, allowed_mentions: noMentions, flags: suppressEmbeds, enforce_nonce: true },
    nonce: createHash('sha256').update(id).digest('hex').slice(0, 24),
    ...(replyTo !== undefined && { message_reference: { message_id: idOf(replyTo), fail_if_not_exists: false } }),
    ...(buttons.length > 0 && { components: rowsOf(buttons) }),
  }
  const path = `/channels/${idOf(conversationId)}/messages`
  const body = attachments.length > 0 ? await formOf(message, attachments, signal) : message
  const answer = await api({ method: 'POST', path, body, signal, sending: true })
  if (typeof answer['id'] !== 'string') throw unreadable(true)
  return { id: answer['id'] }
}

async function formOf(message: object, files: NonNullable<ChannelDelivery['attachments']>, signal: AbortSignal): Promise<FormData> {
  const form = new FormData()
  form.append('payload_json', JSON.stringify({ ...message, attachments: files.map(({ name }, id) => ({ id, filename: name })) }))
  const tooLarge = (): Error => rejected(`a file has more than ${maxFileBytes} bytes`)
  for (const [index, { name, mediaType, bytes }] of files.entries()) {
    const read = (within: AbortSignal) => readBytes(bytes, { maxBytes: maxFileBytes, signal: within, tooLarge })
    const content = await callVendor(read, { channel: discord, signal, limitMs: transferMs })
    form.append(`files[${index}]`, new Blob([content], { type: mediaType }), name)
  }
  return form
}

const rowsOf = (buttons: readonly ChannelButton[]): readonly object[] =>
  buttons.length === 0 ? [] : [{ type: 1, components: buttons.map(({ label, value }) => ({ type: 2, style: 2, label, custom_id: value })) }]

function idOf(id: string): string {
  if (anId.test(id)) return id
  throw rejected('the conversation or message is none of Discord')
}

/** Addresses of files end after a day: the message says the present one. */
async function* download(parts: SessionParts, { id }: ChannelAttachment, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [channel = '', message = '', file = ''] = id.split('/')
  const answer = await parts.api({ path: `/channels/${idOf(channel)}/messages/${idOf(message)}`, signal })
  const found = [answer, ...forwardedIn(answer)]
    .flatMap((each) => listOf(each['attachments']))
    .map(valuesOf)
    .find((each) => each['id'] === file)
  if (found === undefined) throw rejected('the file is gone')
  const url = parts.fileAddressOf(found['url'])
  const within = signalWithin(transferMs, signal)
  const ask = (): Promise<Response> => fetch(url, { redirect: 'manual', signal: within })
  const { status, body } = await callVendor(ask, { channel: discord, signal, limitMs: parts.limitMs })
  if (status !== 200 || body === null) {
    await body?.cancel()
    throw rejected('the file cannot be downloaded')
  }
  try {
    yield* untilAborted(body as AsyncIterable<Uint8Array>, within)
  } catch (cause) {
    signal.throwIfAborted()
    throw channelUnavailableError.create({ channel: discord, reason: 'the download broke off' }, { cause })
  }
}
