import { strict as assert } from 'node:assert'
import type { ModelTimeouts } from '../../contracts/provider-adapter/request.js'
import { type CallOutcome, outcomeOf } from '../replay/call-outcome.js'
import { bytesOf, type Replay, type ReplayServer, startReplayServer } from '../replay/replay-server.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import type { FaultWire, ProviderFaultsOptions } from './faults-options.js'

/** The tolerance for a call's end after its limit, in milliseconds; the machine may be busy. */
const graceMs = 1_500
const patient: ModelTimeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 20_000 }

interface Fault {
  readonly title: string
  replay(wire: FaultWire): Replay
  /** Default: with every wire. */
  isPossible?(wire: FaultWire): boolean
  readonly timeouts?: Partial<ModelTimeouts>
  /** The text that the caller saw before the end. Default: none. */
  readonly text?: string
  /** The call succeeds. */
  readonly succeeds?: boolean
  readonly failure?: string
  readonly retryable?: boolean
  readonly retryAfterMs?: number
  /** When it must have ended, in milliseconds from its start. */
  readonly withinMs?: number
}

const refused = (wire: FaultWire, status: number, headers: Readonly<Record<string, string>> = {}): Replay => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [bytesOf(wire.errorBody('It does not work now'))],
})
const streamed = (wire: FaultWire, pieces: readonly Uint8Array[], more: Partial<Replay> = {}): Replay => ({
  headers: { 'content-type': wire.contentType },
  pieces,
  ...more,
})

/** Cuts bytes in ten. */
const drips = (bytes: Uint8Array): readonly Uint8Array[] => {
  const size = Math.ceil(bytes.length / 10)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** What stands in the place of `Hello, `: characters of two, three and four bytes. */
const greeting = 'Grüße, 世界 👋 '

/** The pieces with these characters; undefined where the wire is not plain text, whose lengths and checksums would be wrong. */
function withGreeting({ contentType, text, end }: FaultWire): { readonly text: Uint8Array; readonly end: Uint8Array } | undefined {
  const [before, after, ...others] = textOf(text).split('Hello, ')
  const isText = /^(text\/|application\/([a-z-]+\+)?(x-nd|nd|stream\+)?json)/.test(contentType)
  if (!isText || after === undefined || others.length > 0) return undefined
  // The end of some protocols repeats the whole text.
  return { text: bytesOf(`${before}${greeting}${after}`), end: bytesOf(textOf(end).replaceAll('Hello, ', greeting)) }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** Cut within each character of several bytes. */
function cutInCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const borders = [...bytes.entries()].flatMap(([at, byte]) => ((byte & 0xc0) === 0x80 ? [at] : []))
  return [...borders, bytes.length].map((border, index) => bytes.subarray(borders[index - 1] ?? 0, border))
}

const faults: readonly Fault[] = [
  { title: '429 without Retry-After', replay: (wire) => refused(wire, 429), failure: 'rate_limited', retryable: true },
  {
    title: '429 with Retry-After',
    replay: (wire) => refused(wire, 429, { 'retry-after': '7' }),
    failure: 'rate_limited',
    retryable: true,
    retryAfterMs: 7_000,
  },
  ...[500, 503, 529].map(
    (status): Fault => ({ title: String(status), replay: (wire) => refused(wire, status), failure: 'overloaded', retryable: true }),
  ),
  {
    title: 'a hang before the headers',
    replay: () => ({ pieces: [], unanswered: 'hold' }),
    timeouts: { firstTokenMs: 120 },
    failure: 'timeout',
    retryable: true,
    withinMs: 120,
  },
  {
    title: 'a hang after the headers',
    replay: (wire) => streamed(wire, [], { end: 'hold' }),
    timeouts: { firstTokenMs: 120 },
    failure: 'timeout',
    retryable: true,
    withinMs: 120,
  },
  {
    title: 'a hang between two tokens',
    replay: (wire) => streamed(wire, [wire.text], { end: 'hold' }),
    timeouts: { idleMs: 120 },
    text: 'Hello, ',
    failure: 'timeout',
    retryable: true,
    withinMs: 120,
  },
  {
    title: 'a connection that breaks before the headers',
    replay: () => ({ pieces: [], unanswered: 'destroy' }),
    failure: 'transport',
    retryable: true,
  },
  {
    title: 'a connection that breaks before the first event',
    replay: (wire) => streamed(wire, [], { end: 'destroy' }),
    failure: 'truncated',
    retryable: true,
  },
  {
    title: 'a connection that breaks in the text',
    replay: (wire) => streamed(wire, [wire.text], { end: 'destroy' }),
    text: 'Hello, ',
    failure: 'truncated',
    retryable: true,
  },
  {
    title: 'a connection that ends normally in the text',
    replay: (wire) => streamed(wire, [wire.text]),
    text: 'Hello, ',
    failure: 'truncated',
    retryable: true,
  },
  {
    title: 'a connection that breaks in the arguments of a call',
    replay: (wire) => streamed(wire, [wire.halfCall], { end: 'destroy' }),
    failure: 'truncated',
    retryable: true,
  },
  {
    title: 'an error inside an answer with status 200',
    replay: (wire) => streamed(wire, [wire.text, wire.overloaded]),
    text: 'Hello, ',
    failure: 'overloaded',
    retryable: true,
  },
  {
    title: 'a spent quota, inside an answer with status 200',
    replay: (wire) => streamed(wire, [wire.noMoney]),
    failure: 'quota_exceeded',
    retryable: false,
  },
  {
    title: 'a page instead of an answer',
    replay: () => ({ headers: { 'content-type': 'text/html' }, pieces: [bytesOf('<html><body>Come back later</body></html>')] }),
    failure: 'invalid_response',
    retryable: true,
  },
  {
    title: 'a page where one signs in, under any type',
    replay: (wire) => streamed(wire, [bytesOf('<html><head><title>Sign in</title></head><body><input type="password"></body></html>')]),
    failure: 'invalid_response',
    retryable: false,
  },
  {
    title: 'an answer in one piece to a request for a stream',
    replay: ({ whole }) => ({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(whole)] }),
    text: 'Hello, world',
    succeeds: true,
  },
  {
    title: 'a stream under the type of another one',
    replay: (wire) => ({ headers: { 'content-type': 'text/plain' }, pieces: [wire.text, wire.end] }),
    text: 'Hello, world',
    succeeds: true,
  },
  {
    title: 'an answer in one piece under the type of a stream',
    replay: (wire) => streamed(wire, [bytesOf(wire.whole)]),
    text: 'Hello, world',
    succeeds: true,
  },
  {
    title: 'a slow drip within the limits',
    replay: (wire) => streamed(wire, [...drips(wire.text), ...drips(wire.end)], { pauseMs: 15 }),
    timeouts: { idleMs: 4_000 },
    text: 'Hello, world',
    succeeds: true,
  },
  {
    title: 'characters that are cut between their bytes',
    replay(wire) {
      const { text, end } = withGreeting(wire) ?? wire
      return streamed(wire, [...cutInCharacters(text), ...cutInCharacters(end)], { pauseMs: 15 })
    },
    isPossible: (wire) => withGreeting(wire) !== undefined,
    timeouts: { idleMs: 4_000 },
    text: `${greeting}world`,
    succeeds: true,
  },
  {
    title: 'a slow drip beyond the limit of the whole call',
    replay: (wire) => streamed(wire, [...drips(wire.text), ...drips(wire.end)], { pauseMs: 100 }),
    timeouts: { totalMs: 300 },
    failure: 'timeout',
    retryable: true,
    withinMs: 300,
  },
]

/**
 * How an adapter handles every fault of an upstream: the kind of failure, what the
 * caller saw before it, how long it took. Each call reaches the upstream once: whether it is made
 * again is not the adapter's to decide.
 *
 * @example
 * describeProviderFaults({ name: 'house', create: createAdapter, request: requestAt, wire })
 */
export function describeProviderFaults(options: ProviderFaultsOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`an upstream that fails, ${options.name}`, () => {
    const adapter = options.create()
    const unchecked = collectUncheckedRules(runner, `an upstream that fails, ${options.name}`)
    for (const fault of faults) {
      if (fault.isPossible?.(options.wire) === false) {
        unchecked.without('wire.text as plain text', fault.title)
        continue
      }
      runner.it(fault.title, async () => {
        const server = await startReplayServer(() => fault.replay(options.wire))
        try {
          const started = performance.now()
          const request = { ...options.request(server.baseUrl), timeouts: { ...patient, ...fault.timeouts } }
          const outcome = await outcomeOf(adapter, request)
          checkOutcome(fault, outcome, server, performance.now() - started)
        } finally {
          await server.close()
        }
      })
    }
  })
}

function checkOutcome(fault: Fault, outcome: CallOutcome, server: ReplayServer, tookMs: number): void {
  assert.equal(server.seen.length, 1, 'the upstream was called again')
  // How much of a slow drip arrived in time depends on the clock.
  if (fault.text !== undefined || fault.timeouts?.totalMs === undefined) assert.equal(outcome.text, fault.text ?? '')
  if (fault.withinMs !== undefined) assert.ok(tookMs >= fault.withinMs - 20 && tookMs <= fault.withinMs + graceMs, `it took ${tookMs} ms`)
  const calls = (outcome.finished?.content ?? []).filter((part) => part.type === 'tool_call')
  assert.deepEqual(calls, [], 'an unexpected call')
  if (fault.succeeds) {
    assert.equal(outcome.error, undefined)
    assert.deepEqual(
      outcome.finished?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      [fault.text],
    )
    return
  }
  assert.equal(outcome.finished, undefined, 'a whole answer')
  const details = outcome.error?.details ?? {}
  assert.deepEqual(
    { failure: details['failure'], retryable: details['retryable'], retryAfterMs: details['retryAfterMs'] },
    { failure: fault.failure, retryable: fault.retryable, retryAfterMs: fault.retryAfterMs },
  )
}
