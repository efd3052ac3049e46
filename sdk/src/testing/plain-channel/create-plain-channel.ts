import type { Channel, ChannelConnection } from '../../contracts/channel/channel.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import { hmacOf } from '../../kits/channels/signatures.js'
import type { ChannelBenchMessage, ChannelBenchSent, ChannelFault } from '../describe-channel/channel-bench.js'
import { createChannelOf } from './plain-channel.js'
import { createPlainVendor } from './plain-vendor.js'

/** A messaging service in the memory of a test. */
export interface PlainChannel {
  /** `plain`, with the members `token` and `webhook`. Supports everything but Markdown. */
  readonly channel: Channel
  /** A connection that the vendor takes. `webhook`: it calls; otherwise the session polls. */
  connection(options?: { readonly id?: string; readonly webhook?: boolean }): ChannelConnection
  /**
   * Someone writes: waits for the next poll. Returns what the channel hands on. For a connection with
   * a webhook, send what {@link PlainChannel.request} makes of it.
   */
  write(message: Partial<ChannelBenchMessage> & { readonly text: string }): ChannelMessage
  /** The signed request with which the vendor delivers a message, or `{ kind: 'removed' }` when it ends the connection; default of `now`: the time. */
  request(message: unknown, options?: { readonly now?: number; readonly secret?: string }): ChannelWebhookRequest
  /** Delivers something by poll, whatever it is: the same message again, or none. */
  push(message: unknown): void
  /** What people see, the oldest first. */
  readonly sent: readonly (ChannelBenchSent & { readonly id: string })[]
  /** The ids of messages that were acknowledged by polls. */
  readonly acknowledged: readonly string[]
  /** Conversations in which it was shown to be writing. */
  readonly typing: readonly string[]
  /** How it was shown to be there. */
  readonly presence: readonly string[]
  /** How many requests wait. */
  readonly waiting: number
  /** What is wrong from now on. Default: nothing. */
  fail(fault?: ChannelFault): void
  /** Breaks the connections that are open. */
  drop(): void
}

const token = 'plain-canary-of-the-token'
const webhookUrl = 'https://town.example/api/channels/plain/one'

/** The time of the first message; each one is a second later. */
const firstAt = 1_790_000_000_000

/** Makes a vendor with an account, and the channel to it. Tests of what uses channels write to it and look at what was sent. */
export function createPlainChannel(): PlainChannel {
  const vendor = createPlainVendor(token)
  let count = 0
  const make = ({
    place = 'direct',
    by = 'person',
    mention,
    text,
    replyTo,
    button,
    attachments = [],
  }: Partial<ChannelBenchMessage> & { readonly text: string }): ChannelMessage => {
    count += 1
    const files = attachments.map(({ name, mediaType, bytes }, index) => ({
      id: `file-${count}-${index}`,
      name,
      mediaType,
      size: bytes.length,
      bytes,
    }))
    for (const { id, bytes } of files) vendor.files.set(id, bytes)
    return {
      id: `message-${count}`,
      conversation: place === 'direct' ? { id: 'ann', kind: 'direct' } : { id: 'printers', kind: 'group', title: 'Printers' },
      sender: senders[by],
      text,
      at: firstAt + count * 1_000,
      mentioned: place === 'direct' || mention === 'account',
      ...(replyTo !== undefined && { replyTo }),
      ...(button !== undefined && { button }),
      ...(files.length > 0 && { attachments: files.map(({ bytes: _, ...file }) => file) }),
    }
  }
  return {
    channel: createChannelOf(vendor),
    connection: ({ id = 'one', webhook = false } = {}) => ({ id, origin: 'user', members: { token, webhook }, webhookUrl }),
    write(message) {
      const made = make(message)
      vendor.push(made)
      return made
    },
    request(message, { now = Date.now(), secret = token } = {}) {
      const time = String(Math.floor(now / 1_000))
      // Spaces, and escapes: a signature is about bytes.
      const body = Buffer.from(JSON.stringify(message, undefined, 1).replaceAll('😀', '\\ud83d\\ude00'))
      const signature = hmacOf({ secret, parts: [`${time}.`, body] })
      return { method: 'POST', url: webhookUrl, headers: { 'x-plain-time': time, 'x-plain-signature': signature }, body }
    },
    push: vendor.push,
    sent: vendor.sent,
    acknowledged: vendor.acknowledged,
    typing: vendor.typing,
    presence: vendor.presence,
    get waiting() {
      return vendor.waiting
    },
    fail(fault) {
      vendor.fault = fault
    },
    drop: vendor.drop,
  }
}

const senders = {
  person: { id: 'ann', name: 'Ann', bot: false },
  bot: { id: 'clock', name: 'Clock', bot: true },
  account: { id: 'plain-account', name: 'Plain', bot: true },
} as const
