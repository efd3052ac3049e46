import { createHmac } from 'node:crypto'
import type { ChannelConnection, ChannelMessage, ChannelWebhookRequest } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchHooks, ChannelBenchMessage } from '@agent-service/sdk/testing'
import { createSlackChannel } from '../channel.js'
import { createFakeSlack, type FakeSlack, tokens } from './fake-slack.js'

export const signingSecret = 'canary-of-the-signing-secret'
export const webhookUrl = 'https://agents.example/api/channels/hooks/one'

/** What Slack sends: the payload of an envelope, or the body of a request. */
export interface Delivery {
  readonly type: 'events_api' | 'interactive'
  readonly payload: Readonly<Record<string, unknown>>
}

/** A bench of the suite, with the workspace behind it. */
export interface SlackBench extends ChannelBench {
  readonly workspace: FakeSlack
  /** Sends any payload as Slack sends it. */
  push(delivery: Delivery, id?: string): void
}

/** A bench for Socket Mode, or for the Events API. */
export async function createSlackBench(mode: 'socket' | 'events', hooks: ChannelBenchHooks): Promise<SlackBench> {
  const workspace = await createFakeSlack()
  const written = new Map<string, Delivery>()
  const unstored = new Map<string, Delivery>()
  const underWay = new Map<string, string>()
  const stored: string[] = []
  let envelopes = 0
  let calling: Promise<unknown> = Promise.resolve()

  const store = (id: string): void => {
    unstored.delete(id)
    stored.push(id)
  }
  const envelope = (id: string, { type, payload }: Delivery): string => {
    envelopes += 1
    underWay.set(`envelope-${envelopes}`, id)
    return JSON.stringify({ envelope_id: `envelope-${envelopes}`, type, accepts_response_payload: false, payload })
  }
  workspace.onAcknowledged((envelopeId) => store(underWay.get(envelopeId) ?? ''))
  workspace.onLink((link) => {
    for (const [id, delivery] of unstored) link.send(envelope(id, delivery))
  })
  const push = (delivery: Delivery, id = 'other'): void => {
    if (mode === 'socket') for (const link of [...workspace.links].slice(-1)) link.send(envelope(id, delivery))
    else
      calling = calling.then(async () => {
        const { status } = await hooks.webhook(signedRequest(bodyOf(delivery)))
        if (status === 200) store(id)
      })
  }

  const events = mode === 'socket' ? { app_token: tokens.app } : { signing_secret: signingSecret }
  const connectionWith = (members: Readonly<Record<string, string>>): ChannelConnection => ({
    ...{ id: 'one', origin: 'user', webhookUrl },
    members: { bot_token: tokens.bot, ...events, ...members },
  })
  return {
    workspace,
    push,
    channel: createSlackChannel({ baseUrl: workspace.baseUrl, limitMs: 300 }),
    connection: connectionWith({}),
    wrong: {
      'another bot token': connectionWith({ bot_token: 'xoxb-canary-of-none' }),
      ...(mode === 'socket' && { 'another app token': connectionWith({ app_token: 'xapp-canary-of-none' }) }),
    },
    invalid: {
      'a token of a person': connectionWith({ bot_token: 'xoxp-canary-of-a-person' }),
      'a token with a line break': connectionWith({ bot_token: 'xoxb-canary\r\nx: y' }),
      'the token of a bot as that of the app': connectionWith({ app_token: 'xoxb-canary-of-the-bot' }),
      'no way to receive': { ...connectionWith({}), members: { bot_token: tokens.bot } },
    },
    async deliver(message) {
      const { delivery, expected } = deliveryOf(message, written.size + 1, workspace)
      written.set(expected.id, delivery)
      if (message.by !== 'account') unstored.set(expected.id, delivery)
      push(delivery, expected.id)
      return expected
    },
    async redeliver(id) {
      const delivery = written.get(id)
      if (delivery) push(delivery, id)
    },
    acknowledged: () => stored,
    async garble() {
      const texts = [
        '{',
        'null',
        '[]',
        '"text"',
        '{"type":7}',
        '{"type":"event_callback","event":7}',
        '{"type":"block_actions","actions":{}}',
      ]
      for (const text of texts) {
        for (const link of workspace.links) {
          link.send(text)
          link.send(`{"envelope_id":"garbled","type":"events_api","payload":${text === '{' ? '[]' : text}}`)
        }
        if (mode === 'events') await hooks.webhook(signedRequest(text))
      }
    },
    sent: () => workspace.sent,
    forged() {
      const body = JSON.stringify({ type: 'event_callback', event: eventOf('D1', 'UANN', 'forged', '1790000900.000100') })
      const good = signedRequest(body)
      const { 'x-slack-signature': signature = '', ...unsigned } = good.headers
      const old = String(Math.floor(Date.now() / 1_000) - 301)
      return {
        'without a signature': { ...good, headers: unsigned },
        'with another signature': signedRequest(body, { secret: 'another' }),
        'with a signature of another version': {
          ...good,
          headers: { ...good.headers, 'x-slack-signature': signature.replace('v0', 'v1') },
        },
        'with one byte changed': { ...good, body: Buffer.from(body.replace('forged', 'forgeb')) },
        'copied and too old': signedRequest(body, { time: old }),
        'from the future': signedRequest(body, { time: String(Number(old) + 900) }),
      }
    },
    removal: () =>
      signedRequest(
        JSON.stringify({ type: 'event_callback', event: { type: 'app_uninstalled' }, authorizations: [{ user_id: 'UAGENT' }] }),
      ),
    marks: {
      texts: ['<!channel>', '<!here>', '<!subteam^S1>', '<@UANN>', '@channel'],
      acted: () => workspace.calls.filter(({ parameters }) => /<[!@]/.test(`${parameters.get('text')}${parameters.get('blocks')}`)).length,
    },
    elsewhere: () => workspace.elsewhere,
    connections: () => workspace.sockets.size,
    drop: () => workspace.breakAll(),
    async break(fault) {
      workspace.fault = fault
      if (fault === 'down') await workspace.stop()
      const revocation = { type: 'tokens_revoked', tokens: { oauth: [], bot: ['UAGENT'] } }
      if (fault === 'revoked') push({ type: 'events_api', payload: { type: 'event_callback', event: revocation } })
    },
    async mend() {
      workspace.fault = undefined
      await workspace.start()
    },
    close: () => workspace.stop(),
  }
}

const bodyOf = ({ type, payload }: Delivery): string =>
  type === 'interactive' ? new URLSearchParams({ payload: JSON.stringify(payload) }).toString() : JSON.stringify(payload)

/** A request as Slack sends it. */
export function signedRequest(text: string, { secret = signingSecret, time = '' } = {}): ChannelWebhookRequest {
  const at = time || String(Math.floor(Date.now() / 1_000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${at}:${text}`).digest('hex')}`
  const type = text.startsWith('payload=') ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { 'content-type': type, 'x-slack-request-timestamp': at, 'x-slack-signature': signature }
  return { method: 'POST', url: webhookUrl, headers, body: Buffer.from(text) }
}

/** A message in a channel. */
export const eventOf = (channel: string, user: string, text: string, ts: string, more: object = {}): object => ({
  ...{ type: 'message', channel, user, text, ts, channel_type: channel.startsWith('D') ? 'im' : 'channel', ...more },
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const mentions = { account: '<@UAGENT> ', everyone: '<!channel> ' } as const

function deliveryOf(
  { place, text, by = 'person', mention, button, attachments = [] }: ChannelBenchMessage,
  count: number,
  workspace: FakeSlack,
): { readonly delivery: Delivery; readonly expected: ChannelMessage } {
  const channel = place === 'group' ? 'C1' : 'D1'
  const ts = `1790000000.${String(count).padStart(6, '0')}`
  const files = attachments.map(({ name, mediaType, bytes }) => {
    const id = `F${workspace.files.size + 1}`
    workspace.files.set(id, { name, mediaType, bytes })
    return { id, name, mimetype: mediaType, size: bytes.length, mode: 'hosted' }
  })
  const expected: ChannelMessage = {
    id: `${channel}:${ts}`,
    conversation: { id: channel, kind: place },
    sender: { id: by === 'bot' ? 'UCLOCK' : 'UANN', bot: by === 'bot' },
    text: `${mention === 'everyone' ? '@channel ' : ''}${text.slice(0, 200_000)}`,
    at: Math.round(Number(ts) * 1_000),
    mentioned: place === 'direct' || mention === 'account',
    ...(attachments.length > 0 && { attachments: files }),
  }
  if (button !== undefined) {
    const message = { type: 'message', user: 'UAGENT', bot_id: 'BAGENT', ts: '1790000000.000000' }
    const action = { type: 'button', action_id: 'button_0', value: button, text: { type: 'plain_text', text }, action_ts: ts }
    const payload = { type: 'block_actions', user: { id: 'UANN' }, channel: { id: channel }, message, actions: [action] }
    return { delivery: { type: 'interactive', payload }, expected: { ...expected, id: `${channel}:${message.ts}:UANN:${ts}`, button } }
  }
  const users = { person: 'UANN', bot: 'UCLOCK', account: 'UAGENT' } as const
  const more = {
    ...(by === 'bot' && { bot_id: 'BCLOCK' }),
    ...(by === 'account' && { bot_id: 'BAGENT' }),
    ...(files.length > 0 && { subtype: 'file_share', files }),
  }
  const event = eventOf(channel, users[by], `${mention ? mentions[mention] : ''}${escaped(text)}`, ts, more)
  const payload = { type: 'event_callback', event_id: `Ev${count}`, team_id: 'T1', authorizations: [{ user_id: 'UAGENT' }], event }
  return { delivery: { type: 'events_api', payload }, expected }
}
