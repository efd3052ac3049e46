import { type JsonObject, namedObject, type TSchema, Type } from '@agent-service/sdk'
import type { Channel } from '@agent-service/sdk/contracts/channel'
import type { OwnPairing } from '../senders/own-pairings.js'
import { accessPolicies, type Connection, connectionStates } from '../store/connection.js'
import { type Delivery, deliveryStates } from '../store/delivery.js'
import { type Sender, senderRoles, senderStates } from '../store/sender.js'

export const oneOf = (values: readonly string[], options: { readonly description?: string } = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  )
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const nullableText = (description: string) => nullable(Type.String({ description }))

/** A kind of channel with the form of its connections. */
export const channelSchema = namedObject('Channel', {
  id: Type.String({ examples: ['telegram'] }),
  title: Type.String({ examples: ['Telegram'] }),
  connection: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The JSON Schema of the members of a connection. Those with `x-secret` are never shown again.',
    examples: [{ type: 'object', properties: { token: { type: 'string', 'x-secret': true } } }],
  }),
  set_up: Type.Array(
    namedObject('ChannelSetUpStep', {
      title: Type.String({ examples: ['Make a bot'] }),
      text: Type.String({ description: 'Markdown. `{webhook_url}` stands for the address of the connection.' }),
      url: nullableText('The page of the vendor.'),
      members: Type.Array(Type.String(), { description: 'What is filled in at this step.' }),
    }),
  ),
  supports: Type.Record(Type.String(), Type.Boolean(), {
    description: 'What the channel has.',
    examples: [{ groups: true, buttons: true }],
  }),
})

const title = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f]+$', examples: ['Town bot'] })
const members = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By the form of the channel. A change replaces all of them: enter the secrets again.',
  examples: [{ token: '…' }],
})
const retry = namedObject('ChannelRetry', {
  max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
  initial_backoff_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000, examples: [1_000] })),
  backoff_multiplier: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000 })),
  max_backoff_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000, examples: [60_000] })),
})
const settings = {
  title,
  members,
  agent_id: nullable(Type.String({ minLength: 1, maxLength: 100, description: 'The agent that answers. Null: your first one.' })),
  access: oneOf(accessPolicies, {
    description:
      'Who may write. `pairing`: who was let in, and unknown people get a code to ask for it. `allow_list`: who was let in. `open`: everyone.',
  }),
  mention_required: Type.Boolean({ description: 'Whether a message in a group has to mention the account.' }),
  answer_bots: Type.Boolean({ description: 'Whether messages of other bots are answered.' }),
  guest_tools: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['get_time'] }), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'The tools, of those that the agent has, that it may use for anyone but you in a direct conversation: for guests, and in every group. It never has your memory there. A change begins a new chat.',
  }),
  retry: nullable(retry),
  enabled: Type.Boolean(),
}
const optional = Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, Type.Optional(schema)]))

export const newConnectionSchema = namedObject('CreateChannelConnection', {
  channel: Type.String({ minLength: 1, maxLength: 64, examples: ['telegram'] }),
  ...optional,
  title,
  members,
})
export const changeConnectionSchema = namedObject('ChangeChannelConnection', optional)

export const connectionSchema = namedObject('ChannelConnection', {
  id: Type.String(),
  channel: Type.String({ examples: ['telegram'] }),
  shared: Type.Boolean({ description: 'Of the service: people pair themselves with their own accounts.' }),
  ...settings,
  title: Type.String(),
  members: Type.Record(Type.String(), Type.Unknown(), { description: 'Without the secrets.' }),
  retry: nullable(retry),
  state: oneOf([...connectionStates, 'unavailable'], {
    description: '`failed`: for good, until it is changed or tried again. `unavailable`: no active plugin has its channel.',
  }),
  failure: nullable(namedObject('ChannelFailure', { code: Type.String(), message: Type.String(), at: Type.String() })),
  failures: Type.Integer({ minimum: 0, description: 'Attempts in a row that failed.' }),
  next_attempt_at: nullableText('While it is `retrying`: when it tries again.'),
  connected_at: nullableText('Since when it is connected.'),
  account: nullable(namedObject('ChannelAccount', { id: Type.String(), name: Type.String() })),
  webhook_url: nullableText('Where the vendor reaches it. Keep it to yourself and the vendor.'),
  created_at: Type.String(),
  changed_at: Type.String(),
})

export const deliverySchema = namedObject('ChannelDelivery', {
  id: Type.String(),
  conversation_id: Type.String({ description: 'The vendor’s.' }),
  kind: oneOf(['answer', 'question', 'notice', 'test', 'edit', 'file'], {
    description:
      '`edit`: a question that is over was changed, so that it has no buttons. `file`: what an agent sent, itself or as a link in the text.',
  }),
  run_id: nullableText('The run that it is the answer of, or that asks.'),
  chunk: namedObject('ChannelChunk', { index: Type.Integer(), count: Type.Integer() }),
  text: Type.String(),
  file: nullable(
    namedObject('ChannelDeliveryFile', {
      name: Type.String({ examples: ['report.pdf'] }),
      size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
    }),
  ),
  state: oneOf(deliveryStates, { description: '`unknown`: it may have been sent, or not; look at the vendor before you send it again.' }),
  attempts: Type.Integer({ minimum: 0 }),
  failure: nullable(namedObject('ChannelDeliveryFailure', { code: Type.String(), message: Type.String() })),
  created_at: Type.String(),
  settled_at: nullableText('When it came to its state.'),
})

export const senderSchema = namedObject('ChannelSender', {
  id: Type.String(),
  sender_id: Type.String({ description: 'The vendor’s id of the person.' }),
  name: Type.String({ description: 'Chosen by the person: proves nothing.' }),
  state: oneOf(senderStates),
  role: oneOf(senderRoles, {
    description: '`owner`: the person of the account, who may also approve what agents ask. `guest`: may write.',
  }),
  code: nullableText('What the person was shown. Let them in only if they told it to you.'),
  code_expires_at: nullableText('Until when the code is valid.'),
  held: Type.Integer({ minimum: 0, description: 'Messages that wait until they are let in.' }),
  created_at: Type.String(),
  changed_at: Type.String(),
})
export const newSenderSchema = namedObject('AddChannelSender', {
  sender_id: Type.String({ minLength: 1, maxLength: 200, examples: ['4711'] }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  role: Type.Optional(oneOf(senderRoles)),
})
export const approvalSchema = namedObject('ApproveChannelPairing', { role: Type.Optional(oneOf(senderRoles)) })
export const claimSchema = namedObject('ClaimChannelPairing', {
  code: Type.String({ minLength: 1, maxLength: 20, examples: ['K7PQ2XMA'] }),
  sender_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Of whom the first answer showed: it is you.', examples: ['4711'] }),
  ),
})
const pairingOf = { sender: senderSchema, channel: Type.String({ examples: ['telegram'] }), title: Type.String({ examples: ['Town bot'] }) }
export const ownPairingSchema = namedObject('OwnChannelPairing', pairingOf)
export const claimedSchema = namedObject('ClaimedChannelPairing', {
  claimed: Type.Boolean({ description: 'Whether the person is you now.' }),
  ...pairingOf,
  messages: Type.Array(namedObject('HeldChannelMessage', { text: Type.String(), at: Type.String() }), {
    description: 'What the person has written since. It goes to your agent once the person is you.',
  }),
})

export const viewOfChannel = ({ id, title: name, connection, setUp, supports }: Channel) => ({
  ...{ id, title: name, connection: JSON.parse(JSON.stringify(connection)) as JsonObject, supports: { ...supports } },
  set_up: setUp.map((step) => ({ title: step.title, text: step.text, url: step.url ?? null, members: [...(step.members ?? [])] })),
})

export function viewOfConnection(connection: Connection, more: { readonly isAbsent: boolean; readonly webhookUrl: string | null }) {
  const { failure, account } = connection
  return {
    ...{ id: connection.id, channel: connection.channel, shared: connection.user_id === null, title: connection.title },
    ...{ members: { ...connection.members }, agent_id: connection.agent_id, access: connection.access },
    ...{
      mention_required: connection.mention_required,
      answer_bots: connection.answer_bots,
      guest_tools: [...connection.guest_tools],
      enabled: connection.enabled,
    },
    retry: connection.retry && { ...connection.retry },
    state: more.isAbsent && connection.enabled ? 'unavailable' : connection.state,
    ...{ failure: failure && { ...failure }, failures: connection.failures, next_attempt_at: connection.next_attempt_at },
    ...{ connected_at: connection.connected_at, account: account && { ...account }, webhook_url: more.webhookUrl },
    ...{ created_at: connection.created_at, changed_at: connection.changed_at },
  }
}

export const viewOfDelivery = ({ chunk, failure, file, ...delivery }: Delivery) => ({
  ...{ id: delivery.id, conversation_id: delivery.conversation_id, kind: delivery.kind, run_id: delivery.run_id, chunk: { ...chunk } },
  ...{
    text: delivery.text,
    file: file && { name: file.name, size: file.size },
    state: delivery.state,
    attempts: delivery.attempts,
    failure: failure && { ...failure },
  },
  ...{ created_at: delivery.created_at, settled_at: delivery.settled_at },
})

export const viewOfSender = (sender: Sender) => ({
  ...{ id: sender.id, sender_id: sender.sender_id, name: sender.name, state: sender.state, role: sender.role },
  // A shared connection's code is for the person alone.
  ...{ code: sender.user_id === null ? null : sender.code, code_expires_at: sender.code_expires_at, held: sender.held },
  ...{ created_at: sender.created_at, changed_at: sender.changed_at },
})

/** A person of a shared connection, as the account sees them that they are. */
export const viewOfPairing = ({ sender, connection }: OwnPairing) => ({
  ...{ sender: viewOfSender({ ...sender, code: null }), channel: connection.channel, title: connection.title },
})
