import { strict as assert } from 'node:assert'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { ChannelConnection, ChannelSession } from '../../contracts/channel/channel.js'
import type { ChannelDelivery } from '../../contracts/channel/deliveries.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import { createSecretFinder, type SecretFinder, secretsOfMembers } from '../secret-finder.js'
import { endsWithin } from '../within-limit.js'
import { failWithError } from '../wrong-error.js'
import type { ChannelBench, ChannelBenchMessage, ChannelBenchSent } from './channel-bench.js'
import { createSuiteHost, type SuiteHost } from './suite-host.js'
import type { ChannelSuiteOptions, ChannelSuiteSettings } from './suite-options.js'

/** How `run` ended: `error` is absent if it resolved. */
export interface SessionEnd {
  readonly error?: unknown
}

/** A session that the suite has opened, its `run` begun. */
export interface OpenSession {
  readonly session: ChannelSession
  /** Resolves when `run` has settled. */
  readonly ended: Promise<SessionEnd>
  /** Aborts the session and waits until it has ended. */
  close(): Promise<SessionEnd>
}

/** A bench for one test. */
export interface SuiteBench extends ChannelBench {
  readonly store: SuiteHost
  readonly secrets: SecretFinder
  readonly signal: AbortSignal
  /** How the session answered the requests of the vendor so far. */
  readonly webhookStatuses: readonly number[]
  /** Opens a session of the connection, on the store unless another is given. */
  open(options?: { readonly connection?: ChannelConnection; readonly store?: SuiteHost }): Promise<OpenSession>
  /** Writes, and waits until it was received. Returns what was received. */
  exchange(message: ChannelBenchMessage): Promise<{ readonly expected: ChannelMessage; readonly actual: ChannelMessage }>
  /** Waits for the message with this id in the store. */
  arrival(id: string, store?: SuiteHost): Promise<ChannelMessage>
  /** Waits until it holds. */
  until(holds: () => boolean, what: string): Promise<void>
  /** A delivery to the conversation of a message. */
  delivery(conversationId: string, text: string, more?: Partial<ChannelDelivery>): ChannelDelivery
  /** What was sent that has this text. */
  sentWith(text: string): readonly ChannelBenchSent[]
}

/** Runs one test with a bench of its own; `other` opens a second one beside it. */
export type ChannelTestBody = (bench: SuiteBench, other: (test: (bench: SuiteBench) => Promise<void>) => Promise<void>) => Promise<void>

/** Opens a bench, runs a test, looks for problems and secrets, and closes everything. */
export async function withSuiteBench(
  create: ChannelSuiteOptions['create'],
  options: ChannelSuiteSettings,
  test: ChannelTestBody,
): Promise<void> {
  const { limitMs, supports } = options
  const open = new Set<OpenSession>()
  let latest: ChannelSession | undefined
  const bench = await create({
    async webhook(request) {
      if (latest?.webhook === undefined) return { status: 503 }
      try {
        const answer = await latest.webhook(request, { signal: AbortSignal.timeout(limitMs) })
        webhookStatuses.push(answer.status)
        return answer
      } catch (error) {
        secrets?.assertNone(error, 'an error of the webhook')
        webhookStatuses.push(500)
        return { status: 500 }
      }
    },
  })
  const secrets: SecretFinder | undefined = createSecretFinder(
    [bench.connection, ...Object.values(bench.wrong), ...Object.values(bench.invalid ?? {})].flatMap(({ members }) =>
      secretsOfMembers(bench.channel.connection, members),
    ),
  )
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const store = createSuiteHost(supports)
  const until: SuiteBench['until'] = (holds, what) => waitUntil(holds, limitMs, what)
  const arrival: SuiteBench['arrival'] = async (id, from = store) => {
    const find = (): ChannelMessage | undefined => from.received.find((message) => message.id === id)
    await until(() => find() !== undefined, `the message ${id} was not received`)
    return find() ?? assert.fail()
  }
  const webhookStatuses: number[] = []
  let deliveries = 0
  try {
    const suiteBench: SuiteBench = {
      ...bench,
      ...{ store, secrets, signal, until, arrival, webhookStatuses },
      async open({ connection = bench.connection, store: into = store } = {}) {
        const opened = await openSession(bench, connection, into, { secrets, limitMs, abortLimitMs: options.abortLimitMs })
        open.add(opened)
        latest = opened.session
        void opened.ended.then(() => {
          open.delete(opened)
          if (latest === opened.session) latest = undefined
        })
        return opened
      },
      async exchange(message) {
        const expected = await bench.deliver(message)
        return { expected, actual: await arrival(expected.id) }
      },
      delivery(conversationId, text, more) {
        deliveries += 1
        return { id: `suite-${deliveries}`, chunk: { index: 0, count: 1 }, conversationId, text, ...more }
      },
      sentWith: (text) => bench.sent().filter((each) => each.text === text),
    }
    await test(suiteBench, (second) => withSuiteBench(create, options, second))
    assert.deepEqual(store.problems, [], 'what the channel handed on does not keep the contract')
    secrets.assertNone((bench.lines?.() ?? []).join('\n'), 'the log')
    secrets.assertNone((bench.elsewhere?.() ?? []).join('\n'), 'the request to the server of the redirect')
    secrets.assertNone(store.received, 'a message')
  } finally {
    await Promise.allSettled([...open].map((each) => each.close()))
    await bench.close()
  }
}

async function openSession(
  { channel }: ChannelBench,
  connection: ChannelConnection,
  { host }: SuiteHost,
  { secrets, limitMs, abortLimitMs }: { readonly secrets: SecretFinder; readonly limitMs: number; readonly abortLimitMs: number },
): Promise<OpenSession> {
  const controller = new AbortController()
  const { signal } = controller
  const session = await searched(channel.connect(connection, host, { signal }), secrets, 'connect')
  secrets.assertNone(session.account, 'the account')
  const running = session.run === undefined ? aborted(signal) : session.run({ signal })
  const ended = searched(running, secrets, 'run').then(
    (): SessionEnd => ({}),
    (error: unknown): SessionEnd => ({ error }),
  )
  return {
    session: watched(session, secrets),
    ended,
    async close() {
      controller.abort(new Error('closed by the suite'))
      await endsWithin(ended, Math.min(limitMs, abortLimitMs), 'the session goes on')
      return await ended
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/** The same work; what it fails with is searched for secrets. */
async function searched<T>(work: Promise<T>, secrets: SecretFinder, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    secrets.assertNone(error, `the error of ${what}`)
    throw error
  }
}

/** The same session; what its calls fail with is searched for secrets. */
function watched(session: ChannelSession, secrets: SecretFinder): ChannelSession {
  const { send, edit, typing, presence } = session
  return {
    ...session,
    send: (...given) => searched(send.apply(session, given), secrets, 'send'),
    ...(edit && { edit: (...given) => searched(edit.apply(session, given), secrets, 'edit') }),
    ...(typing && { typing: (...given) => searched(typing.apply(session, given), secrets, 'typing') }),
    ...(presence && { presence: (...given) => searched(presence.apply(session, given), secrets, 'presence') }),
  }
}

/** Vendors of tests tell nothing of what they see, so they are looked at again and again. */
async function waitUntil(holds: () => boolean, limitMs: number, what: string): Promise<void> {
  const end = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > end) assert.fail(`${what} within ${limitMs} ms`)
    await setTimeout(2)
  }
}

/** Fails unless work fails with one of these codes in time, and returns the details of the error. */
export async function failsWith(
  work: Promise<unknown>,
  codes: string | readonly string[],
  { what, limitMs }: { readonly what: string; readonly limitMs: number },
): Promise<Readonly<Record<string, unknown>>> {
  const expected = [codes].flat()
  const outcome = work.then(
    () => ({ passed: true }) as const,
    (error: unknown) => ({ passed: false, error }) as const,
  )
  await endsWithin(outcome, limitMs, `${what} has no end`)
  const end = await outcome
  if (end.passed) return assert.fail(`${what} did not fail with ${expected.join(' or ')}`)
  if (end.error instanceof assert.AssertionError) throw end.error
  const { code, details } = Object(end.error) as { readonly code?: unknown; readonly details?: Readonly<Record<string, unknown>> }
  if (!expected.includes(String(code)))
    failWithError(`${what} failed with ${String(code ?? 'an error without a code')} instead of ${expected.join(' or ')}`, end.error)
  return details ?? {}
}

/** Fails unless work rejects with this very reason in time. */
export async function rejectsWith(
  work: Promise<unknown>,
  reason: Error,
  { what, limitMs }: { readonly what: string; readonly limitMs: number },
): Promise<void> {
  const outcome = reasonOf(work)
  await endsWithin(outcome, limitMs, `${what} goes on`)
  const error = await outcome
  assert.ok(error === reason, `${what} ended with ${error === undefined ? 'a result' : String(error)} instead of the reason of its abort`)
}

/** What work failed with; undefined if it did not. */
export const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
