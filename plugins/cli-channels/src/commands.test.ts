import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { addChannelCommand } from './add-channel.js'
import { askChannelCommands } from './ask-channel.js'
import { listChannelsCommand } from './list-channels.js'
import { listDeliveriesCommand } from './list-deliveries.js'
import { pairChannelCommand } from './pair-channel.js'
import { removeChannelCommand } from './remove-channel.js'
import { unpairChannelCommand } from './unpair-channel.js'

const connection = {
  ...{ id: 'c1', channel: 'town', title: 'Town', state: 'connected', access: 'allow_list', next_attempt_at: null, failure: null },
  ...{ account: { id: 'b', name: '@town_bot' }, webhook_url: null },
}
const broken = {
  ...{ ...connection, id: 'c2', state: 'retrying', account: null, next_attempt_at: '2026-07-01T07:00:00.000Z' },
  failure: { code: 'channel_unavailable', message: 'The line broke.', at: '2026-07-01T06:59:00.000Z' },
}
const kind = {
  ...{
    id: 'town',
    title: 'Town chat',
    set_up: [{ title: 'Make a bot', text: 'Ask.\nWait.', url: 'https://town.example', members: ['token'] }],
  },
  connection: {
    ...{ type: 'object', required: ['token'] },
    properties: { token: { type: 'string', title: 'Token', 'x-secret': true }, port: { type: 'integer' }, tls: { type: 'boolean' } },
  },
}
const pairing = { id: 'p1', sender_id: '4711', name: 'Grace', code: 'K7PQ2XMA' }
const delivery = {
  ...{ id: 'd1', created_at: '2026-07-01T07:00:00.000Z', state: 'sent', kind: 'answer', text: 'Hello.', failure: null },
}
const lost = { ...delivery, id: 'd2', state: 'unknown', failure: { code: 'x', message: 'It may have been sent.' } }
const ownPairing = { sender: pairing, title: 'Town', channel: 'town' }
const page = (...items: readonly JsonValue[]): JsonValue => ({ items, next_cursor: null })
const base = '/api/channels/connections'

const answers: Readonly<Record<string, JsonValue>> = {
  [`GET ${base}?limit=200`]: page(connection, broken),
  'GET /api/channels?limit=200': page(kind),
  'GET /api/agents?limit=200': page({ id: 'a1', handle: 'assistant' }),
  [`POST ${base}/c1/test`]: { connection, delivery },
  [`POST ${base}/c3/test`]: { connection, delivery: null },
  [`POST ${base}/c2/test`]: { connection: broken, delivery: null },
  [`POST ${base}/c2/retry`]: { ...broken, state: 'connecting', next_attempt_at: null },
  [`GET ${base}/c1/pairings?limit=200`]: page(pairing),
  'GET /api/channels/pairings?limit=200': page(ownPairing),
  [`GET ${base}/c2/pairings?limit=200`]: page(),
  [`GET ${base}/c1/deliveries?limit=50`]: page(delivery, lost),
  [`GET ${base}/c2/deliveries?limit=50`]: page(),
}
const answer = (method: string, at: string, body?: JsonValue): JsonValue => {
  if (method === 'POST' && at === base) return { ...connection, ...(body as object), webhook_url: 'https://x.test/hook' }
  if (method === 'POST' && at.endsWith('/claim'))
    return { claimed: 'sender_id' in (body as object), ...ownPairing, messages: [{ text: 'Hello?', at: '2026-07-01T07:00:00.000Z' }] }
  if (method === 'POST' && at.endsWith('/approve')) return { ...pairing, ...(body as object) }
  return answers[`${method} ${at}`] ?? null
}

describeCliCommand({
  name: 'channels list',
  create: () => listChannelsCommand,
  examples: [
    {
      title: 'connections with what is wrong with them',
      answer,
      check({ lines, warnings }) {
        expect(lines).to.deep.equal([
          'ID  CHANNEL  STATE  ACCOUNT  ACCESS  NEXT TRY  TITLE',
          'c1  town  connected  @town_bot  allow list    Town',
          'c2  town  retrying    allow list  2026-07-01 07:00  Town',
        ])
        expect(warnings).to.deep.equal(['Town: The line broke.'])
      },
    },
    {
      title: 'what can be added where there is none',
      answer: (_, at) => (at.startsWith('/api/channels?') ? page(kind) : page()),
      check: ({ lines }) => expect(lines).to.deep.equal(['You have no connections. You can add: town.']),
    },
  ],
})
describeCliCommand({
  name: 'channels add',
  create: () => addChannelCommand,
  examples: [
    {
      title: 'a connection, with the steps and what was asked for',
      arguments: ['town'],
      options: { title: 'My town', agent: 'assistant', 'guest-tools': 'get_time, web_search' },
      typed: ['secret-1', '443', 'yes'],
      answer,
      check({ lines, json }) {
        expect(lines.slice(0, 4)).to.deep.equal(['1. Make a bot', '   Ask.', '   Wait.', '   https://town.example'])
        expect(lines.join('\n')).not.to.contain('secret-1')
        expect(json).to.deep.include({
          channel: 'town',
          title: 'My town',
          agent_id: 'a1',
          guest_tools: ['get_time', 'web_search'],
          members: { token: 'secret-1', port: 443, tls: true },
        })
      },
    },
    {
      title: 'a connection of a script, by standard input',
      arguments: ['town'],
      options: { title: 'My town', members: '-' },
      typed: ['{"token": "secret-1", "port": 443}'],
      answer,
      check({ lines, json }) {
        expect(lines.join('\n')).not.to.contain('secret-1')
        expect(json).to.deep.include({ channel: 'town', title: 'My town', members: { token: 'secret-1', port: 443 } })
      },
    },
    {
      title: 'that standard input has no members',
      arguments: ['town'],
      options: { members: '-' },
      typed: ['secret-1'],
      answer,
      status: 1,
      check: ({ warnings }) =>
        expect(warnings).to.deep.equal(['Standard input is not a JSON object of members, such as {"token": "…"}. Nothing was connected.']),
    },
    {
      title: 'that members do not belong on the command line',
      arguments: ['town'],
      options: { members: '{"token": "secret-1"}' },
      answer,
      status: 1,
      check: ({ warnings }) =>
        expect(warnings).to.deep.equal([
          '--members takes only “-”: write the members to standard input as a JSON object, such as {"token": "…"}.',
        ]),
    },
    {
      title: 'that there is no such channel',
      arguments: ['village'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['No active plugin has the channel “village”. There are: town.']),
    },
    {
      title: 'that there is no such agent',
      arguments: ['town'],
      options: { agent: 'clerk' },
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['You have no agent “clerk”.']),
    },
  ],
})
const [testCommand, retryCommand] = askChannelCommands
if (!testCommand || !retryCommand) throw new Error('The commands are not there.')
describeCliCommand({
  name: 'channels test',
  create: () => testCommand,
  examples: [
    {
      title: 'that it works',
      arguments: ['c1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Town is connected as @town_bot.', 'A test message is on its way.']),
    },
    {
      title: 'that it works, and its owner has not written',
      arguments: ['c3'],
      answer,
      check: ({ lines }) => expect(lines[1]).to.equal('Its owner has not written to it yet, so no test message was sent.'),
    },
    {
      title: 'that it does not',
      arguments: ['c2'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['Town is retrying: The line broke.']),
    },
  ],
})
describeCliCommand({
  name: 'channels retry',
  create: () => retryCommand,
  examples: [
    { title: 'how it goes', arguments: ['c2'], answer, check: ({ lines }) => expect(lines).to.deep.equal(['Town is connecting.']) },
  ],
})
describeCliCommand({
  name: 'channels pair',
  create: () => pairChannelCommand,
  examples: [
    {
      title: 'who asks',
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['CODE  NAME  PERSON  CONNECTION', 'K7PQ2XMA  Grace  4711  Town']),
    },
    {
      title: 'that no one asks',
      answer: (_, at) => (at.startsWith(`${base}?`) ? page(connection) : page()),
      check: ({ lines }) => expect(lines).to.deep.equal(['No one asks to be let in.']),
    },
    {
      title: 'that the person was let in',
      arguments: ['k7pq2xma'],
      options: { owner: true },
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal(['Grace may write to your agent over Town.'])
        expect(json).to.deep.include({ role: 'owner' })
      },
    },
    {
      title: 'that the person was refused',
      arguments: ['K7PQ2XMA'],
      options: { deny: true },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Grace was refused.']),
    },
    {
      title: 'that no one has the code',
      arguments: ['AAAAAAAA'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings[0]).to.contain('AAAAAAAA'),
    },
    { title: 'that one cannot do both', arguments: ['K7PQ2XMA'], options: { owner: true, deny: true }, answer, status: 1 },
    {
      title: 'whose code of a shared channel it is, and that it was taken once that is the person',
      arguments: ['k7pq2xma'],
      options: { claim: true },
      typed: ['Yes'],
      answer,
      check({ lines, json }) {
        expect(lines.slice(0, 2)).to.deep.equal(['Grace (4711) in Town was shown this code, and wrote:', '  Hello?'])
        expect(lines[2]).to.contain('knows you now')
        expect(json).to.deep.include({ claimed: true })
      },
    },
    {
      title: 'that a code was not taken whose person is another one',
      arguments: ['k7pq2xma'],
      options: { claim: true },
      typed: ['no'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['Nothing was changed.']),
    },
    {
      title: 'that a claim needs its code',
      options: { claim: true },
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings[0]).to.contain('Name the code'),
    },
  ],
})
describeCliCommand({
  name: 'channels unpair',
  create: () => unpairChannelCommand,
  examples: [
    {
      title: 'who the person is',
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['ID  NAME  PERSON  CHANNEL', 'p1  Grace  4711  Town']),
    },
    { title: 'that they are no one', answer: () => page(), check: ({ lines }) => expect(lines[0]).to.contain('no shared channel') },
    {
      title: 'that it was ended',
      arguments: ['p1'],
      answer,
      check({ lines, json, requests }) {
        expect(lines[0]).to.contain('Ended')
        expect(json).to.deep.equal({ id: 'p1' })
        expect(requests).to.deep.equal([{ method: 'DELETE', path: '/api/channels/pairings/p1' }])
      },
    },
  ],
})
describeCliCommand({
  name: 'channels deliveries',
  create: () => listDeliveriesCommand,
  examples: [
    {
      title: 'what was sent, and what is wrong with it',
      arguments: ['c1'],
      answer,
      check({ lines, warnings }) {
        expect(lines[1]).to.equal('d1  2026-07-01 07:00  sent  answer  Hello.')
        expect(warnings).to.deep.equal(['d2: It may have been sent.'])
      },
    },
    {
      title: 'nothing',
      arguments: ['c2'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Nothing was sent over this connection.']),
    },
    {
      title: 'that one is sent again',
      arguments: ['c1'],
      options: { resend: 'd2' },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['It waits to be sent again.']),
    },
    { title: 'that the limit is a number', arguments: ['c1'], options: { limit: 'all' }, answer, status: 1 },
  ],
})
describeCliCommand({
  name: 'channels remove',
  create: () => removeChannelCommand,
  examples: [
    {
      title: 'that it is gone',
      arguments: ['c1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The connection is deleted.']),
    },
  ],
})
