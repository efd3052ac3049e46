import type { Channel, ChannelHost, ChannelSession } from '../../contracts/channel/channel.js'
import { defineChannel } from '../../contracts/channel/define-channel.js'
import type { ChannelDelivery } from '../../contracts/channel/deliveries.js'
import {
  channelConnectionInvalidError,
  channelOutcomeUnknownError,
  channelRejectedError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '../../contracts/channel/errors.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelWebhookAnswer, ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import { Type } from '../../core/type.js'
import { callVendor } from '../../kits/channels/call-vendor.js'
import { channelHttpFailure } from '../../kits/channels/http-failure.js'
import { isRecent, isSignedBy } from '../../kits/channels/signatures.js'
import type { PlainAnswer, PlainUpdate, PlainVendor } from './plain-vendor.js'

const channel = 'Plain'

/** A vendor that does not answer is waited for so long. */
const silentMs = 100

/** A poll is asked again after so long. */
const longestPollMs = 600_000

/** What the functions of a session have in common. */
interface Wire {
  readonly vendor: PlainVendor
  readonly token: string
  readonly ask: (take: () => PlainAnswer, options: { readonly signal: AbortSignal; readonly sending?: boolean }) => Promise<PlainAnswer>
}

/** The channel of a vendor in memory: a long poll, or a webhook where the connection says so. */
export function createChannelOf(vendor: PlainVendor): Channel {
  return defineChannel({
    id: 'plain',
    title: channel,
    connection: Type.Object({
      token: Type.String({ title: 'Token', 'x-secret': true }),
      webhook: Type.Optional(Type.Boolean({ title: 'Whether the vendor calls', default: false })),
    }),
    setUp: [{ title: 'Make a token', text: 'Copy the token of the test.', members: ['token'] }],
    limits: { text: { unit: 'utf16', max: 2_000 }, attachments: { maxBytes: 1_048_576, maxCount: 10 }, maxWebhookBytes: 5 * 1_048_576 },
    supports: {
      ...{ groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true, edits: true },
      ...{ typing: true, presence: true, idempotentSend: true, webhook: true },
    },
    async connect({ members }, host, { signal }) {
      signal.throwIfAborted()
      const token = String(members['token'])
      if (!token.startsWith('plain-'))
        throw channelConnectionInvalidError.create({ member: 'token', reason: 'does not begin with “plain-”' })
      const wire: Wire = { vendor, token, ask: (take, options) => ask(vendor, token, take, options) }
      const { id } = await bodyOf(await wire.ask(() => ({ status: 200, body: { id: 'plain-account' } }), { signal }))
      return openSession(wire, host, { id: String(id), isCalled: members['webhook'] === true })
    },
  })
}

function openSession(wire: Wire, host: ChannelHost, { id, isCalled }: { readonly id: string; readonly isCalled: boolean }): ChannelSession {
  const { vendor, token } = wire
  let isOver = false
  return {
    account: { id, name: '@plain' },
    ...(isCalled
      ? { webhook: (request: ChannelWebhookRequest) => answer(request, token, host) }
      : {
          run: async ({ signal }: { readonly signal: AbortSignal }) => {
            try {
              await run(wire, host, signal)
            } finally {
              isOver = true
            }
          },
        }),
    async send(delivery, { signal }) {
      signal.throwIfAborted()
      if (isOver) throw channelUnavailableError.create({ channel, reason: 'the session has ended' })
      const files = await filesOf(delivery)
      const { id: key, conversationId, text, replyTo, buttons } = delivery
      const sending = { key, conversationId, text, ...(replyTo !== undefined && { replyTo }), ...(buttons && { buttons }) }
      const body = await bodyOf(
        await wire.ask(() => vendor.take({ ...sending, ...(files.length > 0 && { files }) }), { signal, sending: true }),
        true,
      )
      return { id: String(body['id']) }
    },
    async edit({ id: edited, text, buttons }, { signal }) {
      const take = (): PlainAnswer => {
        const at = vendor.sent.findIndex((sent) => sent.id === edited)
        const { buttons: _, ...sent } = vendor.sent[at] ?? { id: edited, conversationId: '' }
        if (at < 0) return { status: 404 }
        vendor.sent[at] = { ...sent, text, ...(buttons && { buttons }) }
        return { status: 200, body: {} }
      }
      await bodyOf(await wire.ask(take, { signal, sending: true }), true)
    },
    typing: async (conversationId, { signal }) => void (await wire.ask(() => noted(() => vendor.typing.push(conversationId)), { signal })),
    presence: async (state, { signal }) => void (await wire.ask(() => noted(() => vendor.presence.push(state)), { signal })),
    async *download({ id: file }, { signal }) {
      signal.throwIfAborted()
      await bodyOf(await wire.ask(() => ({ status: 200, body: {} }), { signal }))
      const bytes = vendor.files.get(file)
      if (bytes === undefined) throw channelRejectedError.create({ channel, reason: 'the file is gone' })
      for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
    },
  }
}

/** Asks for updates again and again, and for those after the last stored one. */
async function run({ vendor, token }: Wire, host: ChannelHost, signal: AbortSignal): Promise<void> {
  let after = Number((await host.state())?.['after'] ?? 0)
  for (;;) {
    const answered = await callVendor((within) => vendor.poll(token, after, within), { channel, signal, limitMs: longestPollMs })
    const updates = updatesOf(answered)
    const messages = updates.map(({ message }) => message).filter(isForeignMessage)
    after = updates.at(-1)?.sequence ?? after
    await host.receive({ messages, state: { after } })
  }
}

function updatesOf({ status, body, retryAfterMs }: PlainAnswer): readonly PlainUpdate[] {
  if (status !== 200) throw channelHttpFailure({ channel, status, retryAfterMs })
  if (!Array.isArray(body)) throw channelUnavailableError.create({ channel, reason: 'its answer cannot be read' })
  return body as readonly PlainUpdate[]
}

/** What is no message is passed over: it would come again for ever. So is what the account wrote. */
function isForeignMessage(message: unknown): message is ChannelMessage {
  const sender = (message as Partial<ChannelMessage> | null)?.sender
  return sender !== undefined && sender.id !== 'plain-account'
}

async function answer({ method, headers, body }: ChannelWebhookRequest, secret: string, host: ChannelHost): Promise<ChannelWebhookAnswer> {
  const time = headers['x-plain-time']
  if (method !== 'POST') return { status: 405 }
  if (!isRecent(time, { now: Date.now() }) || !isSignedBy({ secret, parts: [`${time}.`, body], given: headers['x-plain-signature'] }))
    return { status: 401 }
  const message = parsed(body)
  if ((message as { readonly kind?: unknown } | null | undefined)?.kind === 'removed')
    throw channelUnauthorizedError.create({ channel, reason: 'revoked' })
  if (!isForeignMessage(message)) return { status: message === undefined ? 400 : 200 }
  await host.receive({ messages: [message] })
  return { status: 200 }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    // A body that is no JSON has no message.
    return undefined
  }
}

function ask(
  vendor: PlainVendor,
  token: string,
  take: () => PlainAnswer,
  { signal, sending = false }: { readonly signal: AbortSignal; readonly sending?: boolean },
): Promise<PlainAnswer> {
  return callVendor((within) => vendor.request(token, take, { signal: within, sending }), { channel, signal, sending, limitMs: silentMs })
}

async function bodyOf({ status, body, retryAfterMs }: PlainAnswer, sending = false): Promise<Readonly<Record<string, unknown>>> {
  if (status !== 200) throw channelHttpFailure({ channel, status, retryAfterMs, sending })
  if (typeof body === 'object' && body !== null) return body as Readonly<Record<string, unknown>>
  const definition = sending ? channelOutcomeUnknownError : channelUnavailableError
  throw definition.create({ channel, reason: 'its answer cannot be read' })
}

function noted(note: () => unknown): PlainAnswer {
  note()
  return { status: 200, body: {} }
}

async function filesOf({ attachments = [] }: ChannelDelivery): Promise<readonly { readonly name: string; readonly bytes: Uint8Array }[]> {
  const files: { readonly name: string; readonly bytes: Uint8Array }[] = []
  for (const { name, bytes } of attachments) {
    const pieces: Uint8Array[] = []
    for await (const piece of bytes) pieces.push(piece)
    files.push({ name, bytes: Buffer.concat(pieces) })
  }
  return files
}
