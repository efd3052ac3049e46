import type { Channel, ChannelReceived } from '../../contracts/channel/channel.js'
import { channelErrorKindOf, channelUnavailableError } from '../../contracts/channel/errors.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import { describeTwins, host, messages, plainTitle, session, without } from './break-channel.test.js'
import type { ChannelChange } from './plain-channel.test.js'

const short = 'receives a short text'
const scripts = 'receives other scripts, combined characters and emoji'
const long = 'receives a long text'
const many = 'receives many messages, each once, in their order'
const huge = 'takes a message that is huge, or leaves it out, and goes on'
const noise = 'survives what is no message'
const bots = 'says what a program has written'
const echoes = 'hands on nothing that the account itself has written'
const groups = 'says in groups whether a message is for the account'
const replies = 'says which message another one answers'
const pressed = 'says which button was pressed'
const files = 'receives files, with their content as it was'
const fileAgain = 'gives the content of a file in another session too, and ends when it is aborted'
const fileGone = 'rejects the download of a file that is gone'
const acknowledges = 'acknowledges a message once it is stored, and no earlier'
const redelivered = 'does not acknowledge what could not be stored, and receives it when it comes again'
const twice = 'gives a message that comes twice the same id, and acknowledges it again'
const meanwhile = 'receives what was written while no session was open'
const anyOrder = 'receives messages in any order'
const failure = 'hands the failure to store on, and receives again afterwards'

function everySecond(): ChannelChange {
  let count = 0
  return messages((message) => {
    count += 1
    return count % 2 === 0 ? [] : message
  })
}

function newestFirst(): ChannelChange {
  return host(({ receive }) => ({ receive: (given) => receive({ ...given, messages: [...given.messages].reverse() }) }))
}

const limited: ChannelChange = host(({ receive }) => ({
  async receive(given) {
    if (given.messages.some(({ text }) => text.length > 1_000_000)) throw new RangeError('The frame is too large.')
    await receive(given)
  },
}))

/** Fewer messages than updates: something else was among them. */
const choking: ChannelChange = host(({ receive }) => {
  let last = 0
  return {
    async receive(given) {
      const after = Number(given.state?.['after'] ?? 0)
      if (after - last > given.messages.length) throw new TypeError('undefined has no members')
      last = after
      await receive(given)
    },
  }
})

const echo: ChannelMessage = {
  ...{ id: 'echo', conversation: { id: 'ann', kind: 'direct' }, sender: { id: 'plain-account', bot: true } },
  ...{ text: 'written elsewhere', at: 1_790_000_000_000, mentioned: true },
}

const echoing: ChannelChange = host(({ receive }) => ({
  receive: (given) => receive(given.messages.length === 0 ? { ...given, messages: [echo] } : given),
}))

async function* firstOf(stream: AsyncIterable<Uint8Array> | undefined): AsyncIterable<Uint8Array> {
  for await (const piece of stream ?? []) {
    yield piece.subarray(0, 10)
    return
  }
}

function forgetting({ connect }: Channel): Partial<Channel> {
  return {
    async connect(connection, given, options) {
      const known = new Set<string>()
      const receive = (received: ChannelReceived): Promise<void> => {
        for (const { attachments = [] } of received.messages) for (const { id } of attachments) known.add(id)
        return given.receive(received)
      }
      const opened = await connect(connection, { ...given, receive }, options)
      return {
        ...opened,
        async *download(file, more) {
          if (!known.has(file.id)) throw new TypeError(`${file.id} is not known`)
          yield* opened.download?.(file, more) ?? []
        },
      }
    },
  }
}

const forgiving: ChannelChange = session(({ download }) => ({
  async *download(...given) {
    try {
      yield* download?.(...given) ?? []
    } catch (error) {
      if (channelErrorKindOf(error) !== 'rejected') throw error
    }
  },
}))

/** Writes what a vendor answers into the file, whether it is the file or not. */
const credulous: ChannelChange = session(({ download }) => ({
  async *download(file, options) {
    try {
      yield* download?.(file, options) ?? []
    } catch (error) {
      if (options.signal.aborted || channelErrorKindOf(error) === 'rejected') throw error
      yield Buffer.from('{"error":"not now"}')
    }
  },
}))

/** Hands on what has waited from new to old, and everything else as it comes. */
function backlogReversed({ connect }: Channel): Partial<Channel> {
  return {
    connect(connection, given, options) {
      let isBacklog = true
      const receive = (received: ChannelReceived): Promise<void> => {
        const messages = isBacklog ? [...received.messages].reverse() : received.messages
        isBacklog = false
        return given.receive({ ...received, messages })
      }
      return connect(connection, { ...given, receive }, options)
    },
  }
}

const storeFailureAsVendors: ChannelChange = host(({ receive }) => ({
  receive: (given) =>
    receive(given).catch((error: unknown) => {
      throw channelUnavailableError.create({ channel: plainTitle, reason: 'it failed' }, { cause: error })
    }),
}))

function newIds(): ChannelChange {
  let count = 0
  return messages((message) => {
    count += 1
    return { ...message, id: `${message.id}-${count}` }
  })
}

const remembering: ChannelChange = (...given) => {
  const known = new Set<string>()
  return messages((message) => (known.size === known.add(message.id).size ? [] : message))(...given)
}

const skipping: ChannelChange = ({ connect }) => {
  let sessions = 0
  return {
    connect(connection, given, options) {
      sessions += 1
      const state = async () => (sessions === 1 ? given.state() : { after: 9_999 })
      return connect(connection, { ...given, state }, options)
    },
  }
}

function monotonic(): ChannelChange {
  let newest = 0
  return messages((message) => {
    if (message.at < newest) return []
    newest = message.at
    return message
  })
}

describeTwins('receiving', [
  // How messages come in.
  [
    'messages without their last character',
    messages((message) => ({ ...message, text: message.text.slice(0, -1) })),
    [short, scripts, long],
  ],
  ['texts in ASCII', messages((message) => ({ ...message, text: message.text.replace(/[^\n -~]/g, '?') })), [scripts]],
  ['texts that are cut too short', messages((message) => ({ ...message, text: message.text.slice(0, 1_000) })), [long]],
  [
    'texts that are escaped',
    messages((message) => ({ ...message, text: message.text.replaceAll('<', '&lt;') })),
    ['receives marks and quotation'],
  ],
  ['times in seconds', messages((message) => ({ ...message, at: Math.floor(message.at / 1_000) })), [short]],
  ['times of now', messages((message) => ({ ...message, at: Date.now() })), [short]],
  [
    'another conversation',
    messages((message) => ({ ...message, conversation: { ...message.conversation, id: message.sender.id.toUpperCase() } })),
    [short],
  ],
  [
    'senders by their names',
    messages((message) => ({ ...message, sender: { ...message.sender, id: message.sender.name ?? '' } })),
    [short],
  ],
  ['members that nothing reads', messages((message) => ({ ...message, raw: {} })), [short]],
  ['messages twice', messages((message) => [message, message]), [many]],
  ['only every second message', everySecond(), [many]],
  ['the newest message first', newestFirst(), [many]],
  ['an end at a message that is large', limited, [huge]],
  ['an error at what is no message', choking, [noise]],
  ['programs as persons', messages((message) => ({ ...message, sender: { ...message.sender, bot: false } })), [bots]],
  ['what the account itself has written', echoing, [echoes]],
  ['every message of a group as one for the account', messages((message) => ({ ...message, mentioned: true })), [groups]],
  [
    'groups as single persons',
    messages((message) => ({ ...message, mentioned: true, conversation: { ...message.conversation, kind: 'direct' } })),
    [groups],
  ],
  ['no word of what is answered', messages((message) => without(message, 'replyTo')), [replies]],
  ['no word of the button', messages((message) => without(message, 'button')), [pressed]],
  ['no files', messages((message) => without(message, 'attachments')), [files, fileAgain]],
  [
    'files that are cut',
    session(({ download }) => ({ download: (file, options) => firstOf(download?.(file, options)) })),
    [files, fileAgain],
  ],
  ['files that only the session knows that received them', forgetting, [fileAgain]],
  ['nothing as the content of a file that is gone', forgiving, [fileGone]],

  // Durability.
  [
    'an acknowledgement before the message is stored',
    host(({ receive }) => ({ receive: async (given) => void receive(given).catch(() => undefined) })),
    [acknowledges, redelivered],
  ],
  [
    'the same, by webhook',
    host(({ receive }) => ({ receive: async (given) => void receive(given).catch(() => undefined) })),
    [acknowledges, redelivered],
    true,
  ],
  [
    'a failure to store that is swallowed',
    host(({ receive }) => ({ receive: (given) => receive(given).catch(() => undefined) })),
    [redelivered, failure],
  ],
  [
    'a failure to store that is swallowed by the webhook',
    host(({ receive }) => ({ receive: (given) => receive(given).catch(() => undefined) })),
    [redelivered],
    true,
  ],
  ['a failure to store as one of the vendor', storeFailureAsVendors, [failure]],
  ['ids that it makes itself', newIds(), [short, twice]],
  ['a memory of what came before, filled too early', remembering, [redelivered], true],
  ['a start that leaves out what was written meanwhile', skipping, [meanwhile]],
  ['what was written meanwhile from new to old', backlogReversed, [meanwhile]],
  [
    'a refusal as the content of a file',
    credulous,
    ['failing', 'throttled', 'revoked'].map((fault) => `takes no refusal for the content of a file while the vendor is ${fault}`),
  ],
  ['messages that are older than the last one left out', monotonic(), [anyOrder], true],
])
