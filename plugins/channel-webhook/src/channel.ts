import { Type } from '@agent-service/sdk'
import { isSameSecret } from '@agent-service/sdk/channels'
import {
  type Channel,
  type ChannelConnection,
  type ChannelHost,
  type ChannelReceipt,
  type ChannelSession,
  channelConnectionInvalidError,
  defineChannel,
} from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { type Fields, parsed } from './fields.js'
import { readBody } from './message-of-body.js'
import { channel, createPost } from './receiver.js'
import { isSigned } from './signature.js'

/** What the channel needs. */
export interface WebhookOptions {
  readonly http: HttpClient
  readonly clock: Pick<Clock, 'now'>
  /** The longest wait for an answer, in milliseconds. Read for each request. */
  readonly limits?: { readonly answerMs: number }
}

/** Programs that post messages to the service, and to which it posts answers; both sign. */
export const createWebhookChannel = ({ http, clock, limits = { answerMs: 15_000 } }: WebhookOptions): Channel =>
  defineChannel({
    id: 'webhook',
    title: channel,
    connection: Type.Object({
      url: Type.String({ title: 'Address', description: 'Where answers are posted to. With https.', minLength: 1, maxLength: 2_000 }),
      secret: Type.String({
        title: 'Secret',
        description: 'Signs both ways: at least 32 characters.',
        minLength: 32,
        maxLength: 500,
        'x-secret': true,
      }),
      token: Type.Optional(
        Type.String({
          title: 'Token',
          description: 'Sent and asked for as “Authorization: Bearer”, besides the signature.',
          minLength: 1,
          maxLength: 500,
          'x-secret': true,
        }),
      ),
    }),
    setUp: [
      {
        title: 'Make a secret',
        text: 'Run `openssl rand -hex 32`, and keep what it prints where your program reads it.',
        members: ['secret', 'token'],
      },
      {
        title: 'Say where answers go',
        text: 'The address is called once now, with `{"type":"hello"}`: it has to answer 200 with a JSON object, or 204.',
        members: ['url'],
      },
    ],
    limits: { text: { unit: 'utf16', max: 20_000 }, maxWebhookBytes: 2 * 1_048_576 },
    supports: {
      ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, edits: true, typing: true },
      ...{ idempotentSend: true, webhook: true },
    },
    async connect(connection, host, { signal: opened }) {
      const { url, secret, token } = membersOf(connection)
      const now = (): number => clock.now()
      const post = createPost({ http, url, secret, token, isTrusted: connection.origin === 'system', now, limits })
      const { name } = await post({ type: 'hello' }, { signal: opened })
      const during = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, opened])
      return {
        account: {
          id: connection.id,
          name: typeof name === 'string' && /^\P{Cc}{1,200}$/u.test(name.trim()) ? name.trim() : new URL(url).host,
        },
        async send({ id: key, conversationId, text, replyTo, buttons, chunk }, { signal }): Promise<ChannelReceipt> {
          const message = {
            ...{ type: 'message', key, conversation_id: conversationId, text, chunk },
            ...(replyTo !== undefined && { reply_to: replyTo }),
            ...(buttons !== undefined && { buttons }),
          }
          const { id } = await post(message, { signal: during(signal), key })
          // An id of its own is for replies and edits; without one, the key is.
          return { id: typeof id === 'string' && /^\P{Cc}{1,200}$/u.test(id) ? id : key }
        },
        async edit({ id, conversationId, text, buttons }, { signal }) {
          const message = { type: 'edit', id, conversation_id: conversationId, text, ...(buttons && { buttons }) }
          await post(message, { signal: during(signal) })
        },
        async typing(conversationId, { signal }) {
          await post({ type: 'typing', conversation_id: conversationId }, { signal: during(signal) })
        },
        webhook: createWebhook({ host, secret, token, now }),
      }
    },
  })

/** Takes signed requests, one message each, and answers once it is stored. */
function createWebhook(given: {
  readonly host: ChannelHost
  readonly secret: string
  readonly token: string | undefined
  readonly now: () => number
}): NonNullable<ChannelSession['webhook']> {
  const { host, secret, token, now } = given
  const answer = (status: number, body: Fields) => ({
    ...{ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  })
  return async ({ method, headers, body }) => {
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    const isCaller = token === undefined || isSameSecret(headers['authorization'], `Bearer ${token}`)
    if (!isSigned(headers['x-signature'], { secret, body, now: now() }) || !isCaller)
      return answer(401, { error: 'The request is not signed with the secret of the connection, or more than five minutes old.' })
    const message = readBody(parsed(body), now())
    if ('problem' in message) return answer(400, { error: message.problem })
    await host.receive({ messages: [message] })
    return answer(200, { received: message.id })
  }
}

function membersOf({ members }: ChannelConnection) {
  const [url, secret, token] = [members['url'], members['secret'], members['token']].map((each) =>
    typeof each === 'string' ? each : undefined,
  )
  const invalid = (member: string, reason: string) => channelConnectionInvalidError.create({ member, reason })
  if (url === undefined || !URL.canParse(url) || !/^https?:\/\/[^@]*$/i.test(url)) throw invalid('url', 'is no address with https')
  if (secret === undefined || secret.length < 32) throw invalid('secret', 'has less than 32 characters')
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw invalid('token', 'has characters that a header cannot have')
  return { url, secret, token }
}
