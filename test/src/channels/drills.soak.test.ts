import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { testSupport } from '../campaigns/support/channels/vendor.js'
import { writeVendorsPlugin } from '../campaigns/support/channels/vendors-plugin.js'
import { type DrivenClock, startDrivenClock } from '../support/driven-clock.js'

const [minute, hour] = [60_000, 3_600_000]
const grace = { id: 4711, is_bot: false, first_name: 'Grace' }

/** The Bot API of the channel's own tests. */
interface FakeTelegram {
  readonly root: string
  readonly sent: readonly { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> }[]
  readonly calls: readonly { readonly method: string }[]
  readonly acknowledged: readonly object[]
  queue(update: object): void
  break(fault: 'down' | 'failing' | 'throttled' | 'revoked' | undefined): Promise<void>
  close(): Promise<void>
}

/** The person's words, without what the service adds to them. */
const lastOf = ({ messages }: ModelRequest): string => {
  const [first] = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? []
  return first?.type === 'text' ? first.text : ''
}

describe('a bot of Telegram in a running service', function () {
  this.timeout(90_000)
  let folder: string
  let telegram: FakeTelegram
  let token: string
  let time: DrivenClock
  let agents: AgentsKernel
  let ada: Person
  let script: Script
  let id: string
  let count = 0

  const connections = '/api/channels/connections'
  const message = (text: string, from: object = grace, number?: number) => {
    count += 1
    const at = { message_id: number ?? count, date: 1_790_000_000 + count }
    return { message: { ...at, chat: { id: grace.id, type: 'private', first_name: 'Grace' }, from, text } }
  }
  const write = (text: string): void => telegram.queue(message(text))
  const until = (what: string, isTrue: () => boolean | Promise<boolean>) =>
    eventually(isTrue, {
      what: async () => ({ missing: what, connection: await connection(), sent: telegram.sent.map(({ text }) => text).slice(-5) }),
    })
  const connection = async (): Promise<JsonObject> => (await ada.request('GET', `${connections}/${id}`)).body as JsonObject
  const untilState = (state: string) => until(`the state ${state}`, async () => (await connection())['state'] === state)
  const untilSent = (text: string) => until(`“${text}” at Telegram`, () => telegram.sent.some((each) => each.text === text))
  const timesOf = (wanted: string): number => telegram.sent.filter(({ text }) => text === wanted).length
  const callsOf = (wanted: string): number => telegram.calls.filter(({ method }) => method === wanted).length
  /** Hours pass, and the session of a person with them. */
  const pass = async (milliseconds: number): Promise<void> => {
    await time.pass(milliseconds)
    ada = await agents.person('ada')
  }
  const notificationsOf = async (): Promise<readonly JsonObject[]> =>
    (await ada.request('GET', '/api/notifications')).body['items'] as readonly JsonObject[]

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-drills-'))
    const { startFakeTelegram, ...fake } = await testSupport<{ startFakeTelegram(): Promise<FakeTelegram>; readonly token: string }>(
      'channel-telegram/dist/test-support/fake-telegram.js',
    )
    telegram = await startFakeTelegram()
    token = fake.token
    const nowhere = 'http://127.0.0.1:9'
    const plugin = await writeVendorsPlugin(path.join(folder, 'vendors'), { telegram: telegram.root, slack: nowhere, discord: nowhere })
    time = startDrivenClock()
    script = setScript({ answer: (request) => says(`Re: ${lastOf(request)}`) })
    const disabled = ['provider-openai', 'channel-discord', 'channel-slack', 'channel-telegram']
    agents = await startAgentsKernel({
      ...{ plugins: [plugin], clock: time.clock, environment: { SERVICE_PLUGINS_DISABLED: JSON.stringify(disabled) } },
    })
    ada = await agents.person('ada')
    const made = await ada.request('POST', connections, { channel: 'telegram', title: 'Town', members: { token } })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    id = String(made.body['id'])
    await untilState('connected')
    expect((await ada.request('POST', `${connections}/${id}/senders`, { sender_id: String(grace.id), role: 'owner' })).status).to.equal(201)
    write('Hello')
    await untilSent('Re: Hello')
  })
  after(async () => {
    await agents?.close()
    await time?.stop()
    await telegram?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('is down for an hour: what was answered meanwhile and what was written meanwhile come once, soon after', async () => {
    const answer: { release: () => void } = { release: () => undefined }
    const gate = new Promise<void>((resolve) => {
      answer.release = resolve
    })
    script.answer = async function* (request) {
      await gate
      yield* says(`Re: ${lastOf(request)}`)
    }
    const asked = script.requests.length
    write('Before')
    await until('a call of the model', () => script.requests.length > asked)
    await telegram.break('down')
    answer.release()
    await untilState('retrying')
    await pass(hour)
    const down = await connection()
    expect(down['state']).to.equal('retrying')
    // No more often than the longest pause allows, nor much less.
    expect(down['failures']).to.be.within(30, 200)
    expect(Date.parse(String(down['next_attempt_at'])) - time.clock.now()).to.be.at.most(minute)
    write('Meanwhile')
    await telegram.break(undefined)
    await pass(2 * minute)
    await untilSent('Re: Before')
    await untilSent('Re: Meanwhile')
    await untilState('connected')
    expect([timesOf('Re: Before'), timesOf('Re: Meanwhile')]).to.deep.equal([1, 1])
  })

  it('asks to wait for ten minutes: nothing is lost or doubled, and the connection lasts', async () => {
    await telegram.break('throttled')
    write('Slowly')
    await pass(10 * minute)
    expect(timesOf('Re: Slowly')).to.equal(0)
    await telegram.break(undefined)
    await pass(minute)
    await untilSent('Re: Slowly')
    expect(timesOf('Re: Slowly')).to.equal(1)
    expect((await connection())['failures']).to.equal(0)
  })

  it('has its token revoked: its owner is told, nothing is tried, and all goes on with a new one', async () => {
    await telegram.break('revoked')
    await untilState('failed')
    expect((await connection())['failure']).to.have.property('code', 'channel_unauthorized')
    await until('a notification', async () => (await notificationsOf()).some(({ kind }) => String(kind).startsWith('channel.')))
    const asked = callsOf('getMe')
    await telegram.break(undefined)
    await pass(hour)
    expect([callsOf('getMe'), (await connection())['state']]).to.deep.equal([asked, 'failed'])
    const wrong = await ada.request('PATCH', `${connections}/${id}`, { members: { token: '99:canary-of-a-token-that-no-one-has-abc' } })
    expect([wrong.status, wrong.body['state'], wrong.body['failure']]).to.deep.equal([200, 'connecting', null])
    await untilState('failed')
    expect((await connection())['failure']).to.have.property('code', 'channel_unauthorized')
    write('With a new token')
    expect((await ada.request('PATCH', `${connections}/${id}`, { members: { token } })).status).to.equal(200)
    await untilState('connected')
    await untilSent('Re: With a new token')
    const lines = agents.kernel.log.map((line) => JSON.stringify(line)).join('\n')
    for (const secret of [token, 'canary-of-a-token-that-no-one-has']) expect(lines).to.not.contain(secret)
  })

  it('delivers messages twice and out of order: each is answered once', async () => {
    const [first, second, third] = ['One', 'Two', 'Three'].map((text) => message(text))
    for (const update of [second, first, second, third, first, third]) if (update) telegram.queue(update)
    for (const text of ['One', 'Two', 'Three'])
      await until(`an answer to ${text}`, () => telegram.sent.some((each) => each.text.includes(text)))
    const acknowledged = telegram.acknowledged.length
    if (first) telegram.queue(first)
    await until('the last one taken', () => telegram.acknowledged.length > acknowledged)
    const chats = (await ada.request('GET', '/api/chats')).body['items'] as readonly { readonly id: string }[]
    const texts = (await ada.messages(chats[0]?.id ?? '')).filter(({ role }) => role === 'user').map(({ content }) => content[0]?.text)
    expect(texts.filter((text) => ['One', 'Two', 'Three'].includes(text ?? ''))).to.deep.equal(['Two', 'One', 'Three'])
  })

  it('takes a message of 10 MB, cut, and the next one', async () => {
    const asked = script.requests.length
    script.answer = (request) => says(`Length: ${lastOf(request).length}`)
    write(`Long: ${'x'.repeat(10_000_000)}`)
    await until('an answer', () => telegram.sent.some(({ text }) => text.startsWith('Length: 100')))
    expect(lastOf(script.requests[asked] as ModelRequest)).to.match(/x\n\[The message was longer and was cut here\.\]$/)
    script.answer = (request) => says(`Re: ${lastOf(request)}`)
    write('Short')
    await untilSent('Re: Short')
  })

  it('talks to a bot: that ends after six answers, and a person is heard again later', async () => {
    const bot = { id: 815, is_bot: true, first_name: 'Clock' }
    expect((await ada.request('PATCH', `${connections}/${id}`, { answer_bots: true })).status).to.equal(200)
    await untilState('connected')
    expect((await ada.request('POST', `${connections}/${id}/senders`, { sender_id: String(bot.id) })).status).to.equal(201)
    await pass(minute)
    const [asked, before] = [script.requests.length, telegram.sent.length]
    for (let tick = 0; tick < 10; tick += 1) {
      const acknowledged = telegram.acknowledged.length
      telegram.queue(message(`tick ${tick}`, bot))
      await until('the tick taken', () => telegram.acknowledged.length > acknowledged)
      if (tick < 6) await until(`an answer to tick ${tick}`, () => telegram.sent.length > before + tick)
    }
    await pass(11 * minute)
    write('Are you there?')
    await untilSent('Re: Are you there?')
    const ticks = script.requests.slice(asked).filter((request) => lastOf(request).includes('tick'))
    expect([ticks.length, telegram.sent.length - before]).to.deep.equal([6, 7])
  })
})
