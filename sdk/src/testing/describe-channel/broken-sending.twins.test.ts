import type { Channel, ChannelReceived } from '../../contracts/channel/channel.js'
import type { ChannelDelivery } from '../../contracts/channel/deliveries.js'
import {
  channelErrorKindOf,
  channelOutcomeUnknownError,
  channelThrottledError,
  channelUnavailableError,
} from '../../contracts/channel/errors.js'
import { deliveries, describeTwins, failures, never, plainTitle, session, untilAborted, without } from './break-channel.test.js'
import type { ChannelChange } from './plain-channel.test.js'

const sends = 'sends a short text, once, to its conversation'
const sendsLines = 'sends several lines, once, to its conversation'
const longest = 'sends a text that is as long as its limit'
const concurrent = 'sends many messages at the same time, each to its own conversation'
const sameText = 'sends two messages for two deliveries of the same text'
const once = 'sends one message for one delivery, however often it is called, also in another session'
const answers = 'says which message it answers'
const buttons = 'sends buttons'
const sendsFiles = 'sends files as they are, with a text and without'
const brokenFile = 'fails when a file cannot be read, and sends nothing'
const edits = 'changes a message that was sent'
const typing = 'shows where it writes'
const presence = 'shows whether it answers'
const notSent = 'sends nothing that was aborted before'
const marks = 'sends as mere text what the vendor would act on'
const redirected = 'fails to send while the vendor is redirecting, and works again afterwards'
const notOpened = 'cannot be opened while the vendor is redirecting, and can be afterwards'
const delivery = 'leaves a delivery as it is'
const sending = (fault: string, code: string): string =>
  `fails to send with ${code} while the vendor is ${fault}, and works again afterwards`
const down = sending('down', 'channel_unavailable')
const throttled = sending('throttled', 'channel_throttled')
const revoked = sending('revoked', 'channel_unauthorized')
const rejecting = sending('rejecting', 'channel_rejected')
const losing = sending('losing', 'channel_outcome_unknown')
const silent = sending('silent', 'channel_outcome_unknown')
const stops = 'stops sending at once when it is aborted, with the reason'
const editing = (fault: string): string => `says whether it has changed a message while the vendor is ${fault}`
const afterEnd = 'sends nothing in a session that has ended'
const onceUnknown = 'tries once where the outcome is not known'

const calling = deliveries((given) => ({ ...given, text: given.text.replace('@everyone', '<call>') }))

const callingInEdits = session(({ edit }) => ({
  edit: async (change, options) => edit?.({ ...change, text: change.text.replace('@everyone', '<call>') }, options),
}))

const following: ChannelChange = ({ connect }, _, elsewhere) => ({
  async connect(connection, ...given) {
    const follow = (error: unknown): never => {
      elsewhere.push(`authorization: Bearer ${String(connection.members['token'])}`)
      throw error
    }
    const opened = await connect(connection, ...given).catch(follow)
    return { ...opened, send: (...sent) => opened.send(...sent).catch(follow) }
  },
})

const splitting: ChannelChange = session(({ send }) => ({
  async send(given, options) {
    if (given.text.length <= 1_000) return await send(given, options)
    await send({ ...given, id: `${given.id}-1`, text: given.text.slice(0, 1_000) }, options)
    return await send({ ...given, id: `${given.id}-2`, text: given.text.slice(1_000) }, options)
  },
}))

function lastConversation({ connect }: Channel): Partial<Channel> {
  return {
    async connect(connection, given, options) {
      let last = ''
      const receive = (received: ChannelReceived): Promise<void> => {
        last = received.messages.at(-1)?.conversation.id ?? last
        return given.receive(received)
      }
      const opened = await connect(connection, { ...given, receive }, options)
      return { ...opened, send: (sent, more) => opened.send({ ...sent, conversationId: last }, more) }
    },
  }
}

function tolerant({ attachments, ...given }: ChannelDelivery): ChannelDelivery {
  async function* readable(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  }
  return { ...given, ...(attachments && { attachments: attachments.map((file) => ({ ...file, bytes: readable(file.bytes) })) }) }
}

const resending: ChannelChange = session(({ send }) => ({
  async edit({ id, conversationId, text }, options) {
    await send({ id: `edit-${id}`, chunk: { index: 0, count: 1 }, conversationId, text }, options)
  },
}))

const sendingAnyway: ChannelChange = session(({ send }) => ({
  async send(given, { signal }) {
    const receipt = await send(given, { signal: never() })
    signal.throwIfAborted()
    return receipt
  },
}))

const insisting: ChannelChange = session(({ send }) => ({
  send: (given, options) => send(given, options).catch(() => send({ ...given, id: `${given.id}-again` }, options)),
}))

const keepingFailure: ChannelChange = (...changed) => {
  let kept: unknown
  return session(({ send }) => ({
    async send(...given) {
      if (kept !== undefined) throw kept
      return await send(...given).catch((error: unknown) => {
        kept = error
        throw error
      })
    },
  }))(...changed)
}

const endingWith: ChannelChange = session(({ send, run }) => {
  const refused = new AbortController()
  return {
    send: (...given) =>
      send(...given).catch((error: unknown) => {
        refused.abort(channelUnavailableError.create({ channel: plainTitle, reason: 'it failed' }, { cause: error }))
        throw error
      }),
    run: ({ signal }) => Promise.race([run?.({ signal }) ?? Promise.resolve(), untilAborted(refused.signal)]),
  }
})

/** Sends through a session of its own once the one that was opened has ended. */
const outliving: ChannelChange = ({ connect }) => ({
  async connect(connection, given, options) {
    const opened = await connect(connection, given, options)
    const send: typeof opened.send = async (...delivery) => {
      try {
        return await opened.send(...delivery)
      } catch (error) {
        if (!String(error).includes('has ended')) throw error
        return await (await connect(connection, given, options)).send(...delivery)
      }
    }
    return { ...opened, send }
  },
})

describeTwins('sending', [
  // How messages go out.
  ['another text', deliveries((given) => ({ ...given, text: given.text.trim().replaceAll('\n', ' ') })), [sendsLines]],
  ['texts that are split again', splitting, [longest]],
  [
    'a receipt with another id',
    session(({ send }) => ({ send: async (...given) => ({ id: `x${(await send(...given)).id}` }) })),
    [sends, concurrent],
  ],
  ['a receipt with more', session(({ send }) => ({ send: async (...given) => ({ ...(await send(...given)), ok: true }) })), [sends]],
  ['the conversation of the last message', lastConversation, [concurrent]],
  ['one message for one text', deliveries((given) => ({ ...given, id: given.text })), [sameText]],
  ['keys that are new each time', deliveries((given) => ({ ...given, id: `${given.id}-${Math.random()}` })), [once, onceUnknown]],
  ['no word of what it answers', deliveries((given) => without(given, 'replyTo')), [answers]],
  ['no buttons', deliveries((given) => without(given, 'buttons')), [buttons]],
  ['no files, sent', deliveries((given) => without(given, 'attachments')), [sendsFiles, brokenFile]],
  ['files that are sent as far as they can be read', deliveries(tolerant), [brokenFile]],
  ['a call to everyone', calling, [marks]],
  ['a call to everyone in a change', callingInEdits, [marks]],
  ['edits that are new messages', resending, [edits]],
  [
    'typing that is shown elsewhere',
    session(({ typing: show }) => ({ typing: async (_, options) => show?.('elsewhere', options) })),
    [typing],
  ],
  [
    'typing as a message',
    session(({ send }) => ({
      typing: async (id, options) =>
        void (await send({ id: 'typing', chunk: { index: 0, count: 1 }, conversationId: id, text: '…' }, options)),
    })),
    [typing],
  ],
  [
    'presence that never changes',
    session(({ presence: show }) => ({ presence: async (_, options) => show?.('online', options) })),
    [presence],
  ],
  ['a send in spite of an abort', sendingAnyway, [notSent]],
  ['a send that goes on after its abort', session(({ send }) => ({ send: (given) => send(given, { signal: never() }) })), [stops, notSent]],
  [
    'an abort as a failure of the vendor',
    failures((error) =>
      channelErrorKindOf(error) === 'unknown' ? channelUnavailableError.create({ channel: plainTitle, reason: 'it was stopped' }) : error,
    ),
    [stops, silent, losing],
  ],
  [
    'a send that changes its delivery',
    session(({ send }) => ({ send: async (given, options) => send(Object.assign(given, { text: given.text }), options) })),
    [delivery],
  ],

  // What goes wrong.
  [
    'failures that are swallowed',
    session(({ send }) => ({ send: (...given) => send(...given).catch(() => ({ id: 'none' })) })),
    [down, rejecting, revoked],
  ],
  ['tries until it works', insisting, [onceUnknown, losing], false],
  [
    'an unknown outcome for everything',
    failures((error) =>
      channelErrorKindOf(error) === 'transient' ? channelOutcomeUnknownError.create({ channel: plainTitle, reason: 'it failed' }) : error,
    ),
    [down],
  ],
  [
    'waits without a time',
    failures((error) => (channelThrottledError.isInstance(error) ? channelThrottledError.create({ channel: plainTitle }) : error)),
    [throttled],
  ],
  [
    'waits in seconds',
    failures((error) =>
      channelThrottledError.isInstance(error) ? channelThrottledError.create({ channel: plainTitle, retryAfterMs: 3 }) : error,
    ),
    [throttled],
  ],
  ['a token that follows a redirect', following, [notOpened, redirected]],
  [
    'waits as failures',
    failures((error) =>
      channelThrottledError.isInstance(error) ? channelUnavailableError.create({ channel: plainTitle, reason: '429' }) : error,
    ),
    [throttled],
  ],
  [
    'a refusal as an end of the connection',
    failures((error) =>
      channelErrorKindOf(error) === 'rejected' ? channelUnavailableError.create({ channel: plainTitle, reason: '400' }) : error,
    ),
    [rejecting],
  ],
  [
    'edits whose answers are not read',
    session(({ edit }) => ({ edit: (...given) => (edit?.(...given) ?? Promise.resolve()).catch(() => undefined) })),
    ['failing', 'throttled', 'revoked'].map(editing),
  ],
  ['a send that works without its session', outliving, [afterEnd]],
  ['a failure that is kept', keepingFailure, [down, rejecting]],
  ['a session that ends with a refused message', endingWith, [rejecting]],
])
