import type { ChannelHost, ChannelSession } from '../../contracts/channel/channel.js'
import { channelUnauthorizedError } from '../../contracts/channel/errors.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import type { PlainChannel } from '../plain-channel/index.js'
import { describeTwins } from './break-channel.test.js'
import type { ChannelChange } from './plain-channel.test.js'

const short = 'receives a short text'
const forged = 'refuses requests to its webhook that the vendor has not sent'
const taken = 'tells the vendor that its message was taken, which would come again otherwise'
const removed = 'fails with channel_unauthorized when the vendor says that it has ended the connection'
const nonsense = 'answers requests that make no sense, and receives nothing for them'

/** Changes the webhook, which gets what was to be received from the host too. */
const webhook =
  (
    change: (
      answer: NonNullable<ChannelSession['webhook']>,
      host: ChannelHost,
      plain: PlainChannel,
    ) => NonNullable<ChannelSession['webhook']>,
  ): ChannelChange =>
  ({ connect }, plain) => ({
    async connect(connection, given, options) {
      const opened = await connect(connection, given, options)
      return opened.webhook ? { ...opened, webhook: change(opened.webhook, given, plain) } : opened
    },
  })

function bodyOf({ body }: ChannelWebhookRequest): ChannelMessage | undefined {
  try {
    const message = JSON.parse(Buffer.from(body).toString()) as ChannelMessage | null
    return message?.conversation === undefined ? undefined : message
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const trusting = webhook((_, { receive }) => async (request) => {
  const message = bodyOf(request)
  if (message) await receive({ messages: [message] })
  return { status: 200 }
})

const reading = webhook((answer, { receive }) => async (request, options) => {
  const message = bodyOf(request)
  if (message) await receive({ messages: [message] })
  return await answer(request, options)
})

const reserialising = webhook(
  (answer) => (request, options) => answer({ ...request, body: Buffer.from(JSON.stringify(bodyOf(request) ?? null)) }, options),
)

/** Signed at any time: whatever the vendor once signed is signed anew. */
const timeless = webhook((answer, _, plain) => async (request, options) => {
  const time = Number(request.headers['x-plain-time']) * 1_000
  const message = bodyOf(request)
  const { 'x-plain-signature': signature } = plain.request(message, { now: time }).headers
  return await answer(signature === request.headers['x-plain-signature'] ? plain.request(message) : request, options)
})

const polite = webhook((answer) => async (...given) => {
  await answer(...given)
  return { status: 200 }
})

const staying = webhook((answer) => async (...given) => {
  try {
    return await answer(...given)
  } catch (error) {
    if (channelUnauthorizedError.isInstance(error)) return { status: 200 }
    throw error
  }
})

const throwing = webhook((answer) => async (request, options) => {
  JSON.parse(Buffer.from(request.body).toString())
  return await answer(request, options)
})

const ungrateful = webhook((answer) => async (...given) => {
  const { status } = await answer(...given)
  return { status: status < 300 ? 400 : status }
})

describeTwins('webhooks', [
  // Webhooks.
  ['a webhook that lets everyone in', trusting, [forged, nonsense], true],
  ['a webhook that reads before it verifies', reading, [forged], true],
  ['a signature of the parsed body', reserialising, [short], true],
  ['a window without end', timeless, [forged], true],
  ['200 for what is refused', polite, [forged, nonsense], true],
  ['a refusal of what was received', ungrateful, [taken], true],
  ['a webhook that goes on after its connection was ended', staying, [removed], true],
  ['a webhook that throws', throwing, [nonsense], true],
])
