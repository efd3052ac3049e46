import { expect } from 'chai'
import type { Channel, ChannelHost, ChannelSession } from '../../contracts/channel/channel.js'
import type { ChannelDelivery } from '../../contracts/channel/deliveries.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import { createCollectingRunner } from '../collecting-runner.js'
import type { PlainChannel } from '../plain-channel/index.js'
import { describeChannel } from './index.js'
import { type ChannelChange, createPlainBench, plainSuite } from './plain-channel.test.js'

/** What a twin is, how it differs, the titles of the tests that have to fail for it, and whether it has a webhook. */
export type Twin = readonly [what: string, change: ChannelChange, failed: readonly string[], webhook?: boolean]

/** Shows that the suite catches each twin. */
export function describeTwins(what: string, twins: readonly Twin[]): void {
  describe(`describeChannel, ${what}`, () => {
    for (const [fault, change, titles, isWebhook] of twins) {
      it(`catches ${fault}`, async () => {
        expect(await failing(change, titles, isWebhook)).to.have.members(titles)
      })
    }
  })
}

/** Runs these tests of the suite against a changed channel. Returns the titles of the failed ones. */
async function failing(change: ChannelChange, titles: readonly string[], webhook = false): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeChannel({
    ...plainSuite,
    ...{ name: 'plain', limitMs: 150, abortLimitMs: 80 },
    create: (hooks) => createPlainBench(hooks, { webhook, change }),
    runner: {
      ...runner,
      it(title, test) {
        if (titles.includes(title)) runner.it(title, test)
      },
    },
  })
  const results = await runner.run({ testLimitMs: 3_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('channel plain › ', ''))
}

/** Changes the session that was opened. */
export const session =
  (change: (session: ChannelSession, plain: PlainChannel) => Partial<ChannelSession>): ChannelChange =>
  ({ connect }, plain) => ({
    async connect(...given) {
      const opened = await connect(...given)
      return { ...opened, ...change(opened, plain) }
    },
  })

/** Changes what is handed on, and how. */
export const host =
  (change: (host: ChannelHost) => Partial<ChannelHost>): ChannelChange =>
  ({ connect }) => ({ connect: (connection, given, options) => connect(connection, { ...given, ...change(given) }, options) })

/** Changes every message. */
export const messages = (change: (message: ChannelMessage) => ChannelMessage | readonly ChannelMessage[]): ChannelChange =>
  host(({ receive }) => ({ receive: ({ messages: given, ...more }) => receive({ ...more, messages: given.flatMap(change) }) }))

/** Changes every delivery. */
export const deliveries = (change: (delivery: ChannelDelivery) => ChannelDelivery): ChannelChange =>
  session(({ send }) => ({ send: (given, options) => send(change(given), options) }))

/** Changes what sending failed with. */
export const failures = (change: (error: unknown) => unknown): ChannelChange =>
  session(({ send }) => ({
    send: (...given) =>
      send(...given).catch((error: unknown) => {
        throw change(error)
      }),
  }))

/** Changes what connecting failed with. */
export const refusals =
  (change: (error: unknown, connection: Parameters<Channel['connect']>[0]) => unknown): ChannelChange =>
  ({ connect }) => ({
    connect: (connection, ...given) =>
      connect(connection, ...given).catch((error: unknown) => {
        throw change(error, connection)
      }),
  })

export const without = <T extends object, K extends keyof T>(value: T, name: K): T => {
  const { [name]: _, ...rest } = value
  return rest as T
}

export const never = (): AbortSignal => new AbortController().signal
export const plainTitle = 'Plain'

/** Waits until the signal is aborted, then rejects with its reason. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
