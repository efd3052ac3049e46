import { expect } from 'chai'
import { checkChannelMessage } from './check-message.js'
import { checkChannelSession } from './check-session.js'
import type { ChannelSupports } from './declaration.js'
import { defineChannel } from './define-channel.js'
import {
  channelConnectionInvalidError,
  channelErrorKindOf,
  channelOutcomeUnknownError,
  channelRejectedError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from './errors.js'

const supports: ChannelSupports = {
  ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true },
  ...{ edits: true, typing: true, presence: true, idempotentSend: true, webhook: true },
}
const message = {
  id: '17',
  conversation: { id: 'c1', kind: 'group', title: 'Printers' },
  sender: { id: 'u1', name: 'Ann', bot: false },
  text: 'Which one\nis free?',
  at: 1_790_000_000_000,
  mentioned: false,
  attachments: [{ id: 'f1', name: 'a.png', mediaType: 'image/png', size: 2, bytes: new Uint8Array(2) }],
}
const problemsOf = (change: object, has = supports): readonly string[] =>
  checkChannelMessage({ ...message, ...change }, has).map(({ path, message: text }) => `${path} ${text}`)

describe('a message of a channel', () => {
  it('is taken if it is sound', () => {
    expect(problemsOf({})).to.deep.equal([])
    expect(
      problemsOf({ replyTo: '16', button: 'approve:1.x', text: '', conversation: { id: 'c', kind: 'direct' }, mentioned: true }),
    ).to.deep.equal([])
  })

  for (const [what, change, problem] of [
    ['an id of two lines', { id: 'a\nb' }, '/id must be an id of 1 to 500 characters on one line'],
    ['an id that is a number', { id: 17 }, '/id must be an id of 1 to 500 characters on one line'],
    ['a time in seconds', { at: 1_790_000_000 }, '/at must be at least 1000000000000'],
    ['a sender who may be anything', { sender: { id: 'u1' } }, '/sender/bot is required'],
    [
      'a direct message that is not for the account',
      { conversation: { id: 'c', kind: 'direct' } },
      '/mentioned must be true in a direct conversation',
    ],
    ['members that nothing reads', { raw: {} }, '/raw is not known here'],
    ['content that is a text', { attachments: [{ id: 'f', bytes: 'text' }] }, '/attachments/0/bytes must be a Uint8Array'],
  ] as const) {
    it(`is refused with ${what}`, () => expect(problemsOf(change)).to.deep.equal([problem]))
  }

  it('is refused with what its channel does not support', () => {
    const { supports: none } = defineChannel({
      ...{ id: 'none', title: 'None', connection: {} as never, connect: async () => ({}) as never },
      limits: { text: { unit: 'utf16', max: 1_000 } },
    })
    expect(problemsOf({ button: 'x' }, none)).to.deep.equal([
      '/conversation/kind must be direct without supports.groups',
      '/button needs supports.buttons',
      '/attachments needs supports.attachmentsIn',
    ])
  })
})

describe('a session of a channel', () => {
  const nothing = async (): Promise<never> => Promise.reject(new Error('not called'))
  const session = { account: { id: '1', name: '@town' }, run: nothing, send: nothing, edit: nothing, typing: nothing, presence: nothing }
  const found = (change: object, has = supports): readonly string[] =>
    checkChannelSession({ ...session, ...change }, has).map(({ path, message: text }) => `${path} ${text}`)

  it('is taken if it has what its channel supports', () => {
    expect(found({})).to.deep.equal([])
    expect(found({ run: undefined, webhook: nothing, download: nothing })).to.deep.equal([])
  })

  for (const [what, change, problem] of [
    ['an account without a name', { account: { id: '1', name: ' ' } }, '/account/name must be one line of 1 to 200 characters'],
    ['no function for what is supported', { edit: undefined }, '/edit is required with supports.edits'],
    ['nothing that receives', { run: undefined }, '/run is required, or “webhook” in its place'],
    ['a function that there is not', { close: nothing }, '/close is not known here'],
  ] as const) {
    it(`is refused with ${what}`, () => expect(found(change)).to.deep.equal([problem]))
  }

  it('is refused with more than its channel supports', () => {
    const has = { ...supports, typing: false, webhook: false, attachmentsIn: false }
    expect(found({ webhook: nothing, download: nothing }, has)).to.deep.equal([
      '/typing needs supports.typing',
      '/webhook needs supports.webhook',
      '/download needs supports.attachmentsIn',
    ])
    expect(checkChannelSession(undefined, has)).to.have.lengthOf(1)
  })
})

describe('the kind of an error of a channel', () => {
  for (const [kind, error] of [
    ['auth', channelUnauthorizedError.create({ channel: 'Town', reason: 'revoked' })],
    ['auth', channelConnectionInvalidError.create({ member: 'port', reason: 'is none' })],
    ['throttled', channelThrottledError.create({ channel: 'Town', retryAfterMs: 1_500 })],
    ['transient', channelUnavailableError.create({ channel: 'Town', reason: 'it is down' })],
    ['rejected', channelRejectedError.create({ channel: 'Town', reason: 'the chat was deleted' })],
    ['unknown', channelOutcomeUnknownError.create({ channel: 'Town', reason: 'the connection broke' })],
    ['unknown', new TypeError('not a function')],
    ['unknown', undefined],
  ] as const) {
    it(`is ${kind} for “${String(error)}”`, () => expect(channelErrorKindOf(error)).to.equal(kind))
  }
})
