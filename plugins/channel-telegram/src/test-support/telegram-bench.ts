import { sleep } from '@agent-service/sdk/async'
import type { ChannelConnection, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchHooks, ChannelBenchMessage } from '@agent-service/sdk/testing'
import { createTelegramChannel } from '../channel.js'
import { readUpdate } from '../message-of-update.js'
import { webhookSecretOf } from '../webhook.js'
import { bot, type FakeTelegram, startFakeTelegram, token } from './fake-telegram.js'

type Fields = Readonly<Record<string, unknown>>

const now = 1_790_000_500_000
const webhookUrl = 'https://agents.example/channels/one'
const persons = { person: { id: 7, is_bot: false, first_name: 'Ann' }, bot: { id: 8, is_bot: true, first_name: 'Clock' }, account: bot }
const chats = {
  direct: { id: 7, type: 'private', first_name: 'Ann' },
  group: { id: -100123, type: 'supergroup', title: 'Printers' },
}

/** A channel at a Telegram in this process. */
export async function createTelegramBench(
  { webhook }: ChannelBenchHooks,
  receive: 'polling' | 'webhook',
): Promise<ChannelBench & { readonly vendor: FakeTelegram }> {
  const vendor = await startFakeTelegram()
  const connection: ChannelConnection = { id: 'one', origin: 'user', members: { token, receive }, webhookUrl }
  const secret = webhookSecretOf(token, connection.id)
  const written = new Map<string, Fields>()
  const acknowledged: string[] = []
  let count = 0
  let isSilent = false
  // Short while nothing answers; on a busy machine an answer may take its time.
  const limits = {
    get answerMs() {
      return isSilent ? 300 : 20_000
    },
  }
  let posts = Promise.resolve()

  const requestOf = (body: string, headers: Readonly<Record<string, string>>) =>
    ({ method: 'POST', url: webhookUrl, headers, body: Buffer.from(body) }) as const
  const post = (update: Fields, id?: string): void => {
    posts = posts.then(async () => {
      const request = requestOf(JSON.stringify({ update_id: count, ...update }), { 'x-telegram-bot-api-secret-token': secret })
      const { status } = await webhook(request)
      if (status === 200 && id !== undefined) acknowledged.push(id)
    })
  }
  const hand = (update: Fields, id?: string): void => (receive === 'webhook' ? post(update, id) : vendor.queue(update))
  const idOf = (update: Fields): string => readUpdate(update, { id: bot.id, username: bot.username }, now).message?.id ?? ''
  return {
    vendor,
    channel: createTelegramChannel({
      ...{ root: vendor.root, limits, log: { debug: () => undefined } },
      clock: { now: () => now, wait: (milliseconds, { signal }) => sleep(milliseconds, { signal }) },
    }),
    connection,
    wrong: { 'another token': { ...connection, members: { receive, token: '99:canary-of-a-token-that-no-one-has-abc' } } },
    invalid: {
      'a token that is none': { ...connection, members: { receive, token: '../canary-of-no-token' } },
      ...(receive === 'webhook' && {
        'an address that Telegram does not call': { ...connection, webhookUrl: 'http://agents.example/one' },
      }),
    },
    async deliver(message) {
      count += 1
      const { update, expected } = updateOf(message, count, vendor)
      written.set(expected.id, update)
      hand(update, expected.id)
      return expected
    },
    redeliver: async (id) => hand(written.get(id) ?? {}, id),
    acknowledged: () => [...acknowledged, ...vendor.acknowledged.map(idOf)],
    async garble() {
      for (const update of [{ message: 7 }, { message: { message_id: 'x', chat: [], date: null } }, { callback_query: { id: '<' } }, {}])
        hand(update)
    },
    sent: () =>
      vendor.sent.map(({ text, number, file, parameters }) => {
        const { reply_parameters: reply, reply_markup: markup } = parameters as {
          readonly reply_parameters?: { readonly message_id: number }
          readonly reply_markup?: { readonly inline_keyboard: readonly (readonly Fields[])[] }
        }
        const buttons = markup?.inline_keyboard
          .flat()
          .map((each) => ({ label: String(each['text']), value: String(each['callback_data']) }))
        const topic = parameters['message_thread_id']
        return {
          ...{ id: `${String(parameters['chat_id'])}/${number}`, text },
          conversationId: `${String(parameters['chat_id'])}${topic === undefined ? '' : `/${String(topic)}`}`,
          ...(reply && { replyTo: `${String(parameters['chat_id'])}/${reply.message_id}` }),
          ...(buttons && { buttons }),
          ...(file && { files: [file] }),
        }
      }),
    typing: () => vendor.calls.filter(({ method }) => method === 'sendChatAction').map(({ parameters }) => String(parameters['chat_id'])),
    forged: () => {
      const body = JSON.stringify({ update_id: 1, ...updateOf({ place: 'direct', text: 'forged' }, 900, vendor).update })
      return {
        'without the secret': requestOf(body, {}),
        'with an empty secret': requestOf(body, { 'x-telegram-bot-api-secret-token': '' }),
        'with another secret': requestOf(body, { 'x-telegram-bot-api-secret-token': webhookSecretOf(token, 'two') }),
        'with one byte changed': requestOf(body, { 'x-telegram-bot-api-secret-token': `${secret.slice(0, -1)}g` }),
        'with the token': requestOf(body, { 'x-telegram-bot-api-secret-token': token }),
      }
    },
    removal: 'not applicable',
    connections: () => vendor.requests(),
    drop: () => vendor.drop(),
    async break(fault) {
      isSilent = fault === 'silent'
      await vendor.break(fault)
    },
    async mend() {
      isSilent = false
      await vendor.break(undefined)
    },
    close: () => vendor.close(),
  }
}

function updateOf(
  message: ChannelBenchMessage,
  count: number,
  vendor: FakeTelegram,
): { readonly update: Fields; readonly expected: ChannelMessage } {
  const { place, text, by = 'person', mention, replyTo, button, attachments = [] } = message
  const [chat, from] = [chats[place], persons[by]]
  const direct = place === 'direct'
  const conversation = { id: String(chat.id), kind: direct ? 'direct' : 'group' } as const
  const sender = { id: String(from.id), bot: from.is_bot }
  if (button !== undefined) {
    const markup = { inline_keyboard: [[{ text, callback_data: button }]] }
    return {
      update: {
        callback_query: {
          id: String(count),
          from,
          data: button,
          message: { message_id: 1, date: 1_790_000_000, chat, reply_markup: markup },
        },
      },
      expected: { id: `press/${count}`, conversation, sender, text, at: now, mentioned: true, button, replyTo: `${chat.id}/1` },
    }
  }
  const name = `@${bot.username}`
  const whole = mention === undefined ? text : mention === 'account' ? `${name} ${text}` : `@all ${text}`
  const entities = mention === undefined ? [] : [{ type: 'mention', offset: 0, length: mention === 'account' ? name.length : 4 }]
  const [file] = attachments
  const written =
    file === undefined
      ? { text: whole, entities }
      : {
          ...{ caption: whole, caption_entities: entities },
          document: { file_id: vendor.keep(file.bytes), file_name: file.name, mime_type: file.mediaType, file_size: file.bytes.length },
        }
  const answered = replyTo?.split('/')[1]
  const reply = answered === undefined ? {} : { reply_to_message: { message_id: Number(answered), from: bot } }
  return {
    update: { message: { message_id: count, date: 1_790_000_000 + count, chat, from, ...written, ...reply } },
    expected: {
      ...{ id: `${chat.id}/${count}`, conversation, sender, at: (1_790_000_000 + count) * 1_000 },
      text: mention === 'everyone' ? whole : text,
      mentioned: direct || mention === 'account',
      ...(replyTo !== undefined && { replyTo }),
      ...(file && { attachments: [{ id: 'file', name: file.name }] }),
    },
  }
}
