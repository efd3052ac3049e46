import { expect } from 'chai'
import type { Channel, ChannelHost, ChannelSession } from '../../contracts/channel/channel.js'
import { channelErrorKindOf, channelUnavailableError } from '../../contracts/channel/errors.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { secretMembersTitle } from '../secret-members.js'
import { describeTwins, never, plainTitle, refusals, session, untilAborted, without } from './break-channel.test.js'
import { describeChannel } from './index.js'
import { type ChannelChange, createPlainBench, plainSuite } from './plain-channel.test.js'

const account = 'names its account, and has the functions that it supports'
const supported = 'supports what it should, and has a bench with enough to test'
const wrong = 'refuses wrong credentials at once'
const invalid = 'says which member of a connection is useless'
const abortedBefore = 'opens nothing for a connection that was aborted before'
const closes = 'ends with the reason of its abort, and closes what it had opened'
const again = 'opens again and again'
const breaks = 'ends when its connection breaks, and works when it is opened again'
const apart = 'keeps two connections apart'
const input = 'leaves its input as it is'
const givesUp = 'gives up connecting at once when it is aborted'
const typing = 'shows where it writes'
const opening = (fault: string): string => `cannot be opened while the vendor is ${fault}, and can be afterwards`
const endsDown = 'ends its session when the vendor goes down'
const endsRevoked = 'ends its session for good when the credentials are revoked'

function lazy({ connect }: Channel): Partial<Channel> {
  return {
    async connect(...given) {
      const opened = connect(...given)
      opened.catch(() => undefined)
      return {
        account: { id: 'plain-account', name: '@plain' },
        send: async (...sent) => (await opened).send(...sent),
        run: async ({ signal }) => untilAborted(signal),
      }
    },
  }
}

const unnoticed: ChannelChange = session(({ run }) => ({
  run: ({ signal }) =>
    (run?.({ signal }) ?? Promise.resolve()).catch((error: unknown) => (signal.aborted ? Promise.reject(error) : untilAborted(signal))),
}))

function sharedHost(): ChannelChange {
  let first: ChannelHost | undefined
  return ({ connect }) => ({
    connect(connection, given, options) {
      first ??= given
      return connect(connection, first, options)
    },
  })
}

function sharedSession(): ChannelChange {
  let first: Promise<ChannelSession> | undefined
  return ({ connect }) => ({
    connect(...given) {
      first ??= connect(...given)
      return first
    },
  })
}

function changingInput({ connect }: Channel): Partial<Channel> {
  return {
    connect(connection, ...given) {
      Object.assign(connection.members, { token: String(connection.members['token']).trim() })
      return connect(connection, ...given)
    },
  }
}

describeTwins('sessions', [
  // What it says it is.
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  [
    'a secret that is not marked as one',
    ({ connection }) => ({ connection: Type.Object({ ...connection.properties, token: Type.String({ title: 'Token' }) }) }),
    [secretMembersTitle],
  ],
  ['support that is only claimed', ({ supports }) => ({ supports: { ...supports, markdown: true } }), [supported]],
  [
    'no function for what it supports',
    ({ connect }) => ({ connect: async (...given) => without(await connect(...given), 'typing') }),
    [account, typing],
  ],
  ['an account without a name', session(() => ({ account: { id: '1', name: '' } })), [account]],

  // How sessions begin and end.
  ['a connect that asks no one', lazy, [wrong, invalid, opening('down'), opening('throttled')]],
  [
    'wrong credentials as a failure that passes',
    refusals((error) =>
      channelErrorKindOf(error) === 'auth' ? channelUnavailableError.create({ channel: plainTitle, reason: '401' }) : error,
    ),
    [wrong, invalid, opening('revoked')],
  ],
  [
    'the token in an error',
    refusals((_, { members }) =>
      channelUnavailableError.create({ channel: plainTitle, reason: `no answer to /bot${String(members['token'])}` }),
    ),
    [opening('down')],
  ],
  [
    'the token in the cause of an error, in base64',
    refusals((error, { members }) => {
      const header = Buffer.from(String(members['token'])).toString('base64')
      return Object.assign(error as Error, { cause: { request: { header } } })
    }),
    [wrong],
  ],
  [
    'an error of its own',
    refusals((error) => (channelErrorKindOf(error) === 'transient' ? new TypeError('fetch failed') : error)),
    [opening('down')],
  ],
  [
    'a connect that goes on after its abort',
    ({ connect }) => ({ connect: (connection, given) => connect(connection, given, { signal: never() }) }),
    [abortedBefore, givesUp],
  ],
  ['a run that does not end', session(({ run }) => ({ run: () => run?.({ signal: never() }) ?? Promise.resolve() })), [closes, again]],
  [
    'a run that resolves when it is aborted',
    session(({ run }) => ({
      run: ({ signal }) =>
        (run?.({ signal }) ?? Promise.resolve()).catch((error: unknown) => (signal.aborted ? undefined : Promise.reject(error))),
    })),
    [closes],
  ],
  [
    'a connection that is kept open',
    session(({ run }) => ({
      async run({ signal }) {
        void run?.({ signal: never() }).catch(() => undefined)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })),
    [closes, again],
  ],
  ['a lost connection that goes unnoticed', unnoticed, [breaks, endsDown, endsRevoked]],
  [
    'a lost connection as an error of its own',
    session(({ run }) => ({
      run: ({ signal }) =>
        (run?.({ signal }) ?? Promise.resolve()).catch((error: unknown) => {
          throw channelErrorKindOf(error) === 'transient' ? new Error('ECONNRESET') : error
        }),
    })),
    [breaks, endsDown],
  ],
  ['one host for all connections', sharedHost(), [apart]],
  ['one session for all connections', sharedSession(), [apart]],
  ['a connect that changes its connection', changingInput, [input]],
])

describe('describeChannel, with a vendor that is not public', () => {
  it('catches a connection of a user to it', async () => {
    const runner = createCollectingRunner()
    const title = 'reaches no address that is not public for a connection of a user'
    describeChannel({
      ...plainSuite,
      name: 'plain',
      create(hooks) {
        const bench = createPlainBench(hooks)
        return { ...bench, inward: { connection: bench.connection, connections: () => 1 } }
      },
      runner: {
        ...runner,
        it(given, test) {
          if (given === title) runner.it(given, test)
        },
      },
    })
    const [result, ...others] = await runner.run({ testLimitMs: 5_000 })
    expect(others).to.deep.equal([])
    expect(String(result?.error)).to.contain('did not fail with channel_connection_invalid or channel_unavailable')
  })
})
