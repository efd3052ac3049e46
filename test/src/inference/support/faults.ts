import { bytesOf, type Replay } from '@agent-service/sdk/testing'
import { damagedAnswer } from './wires/bedrock.js'
import type { FamilyWire } from './wires/family-wire.js'

/** One kind of upstream failure, and the expected reaction of a group. */
export interface Fault {
  readonly title: string
  /** The families that it applies to. Default: all. */
  readonly only?: string
  /** The response of each call; the last one repeats. */
  replays(wire: FamilyWire): readonly Replay[]
  /** How often the group retries. */
  readonly retries: number
  /** How many calls reach the model that fails. */
  readonly calls: number
  /** The kind of failure. Absent: the model answers after all. */
  readonly failure?: string
  /** The failure before it answers after all. */
  readonly passing?: string
  /** The text on the screen before it was withdrawn. */
  readonly shown?: boolean
  /** How long the calls take at least, in milliseconds. */
  readonly atLeastMs?: number
  /** The answer was recorded as one that came in one piece. */
  readonly inOnePiece?: boolean
}

/** The limits that the service under test has, in seconds. */
export const limits = { firstToken: 2, idle: 2, total: 3 }

const refused = (wire: FamilyWire, status: number, headers: Readonly<Record<string, string>> = {}): Replay => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [bytesOf(wire.errorBody('It does not work now'))],
})
const streamed = (wire: FamilyWire, pieces: readonly Uint8Array[], more: Partial<Replay> = {}): Replay => ({
  headers: { 'content-type': wire.contentType },
  pieces,
  ...more,
})
/** The complete answer `Hello, world`. */
export const good = (wire: FamilyWire): Replay => streamed(wire, [wire.text, wire.end])
/** A complete answer that calls the tool. */
export const asking = (wire: FamilyWire): Replay => streamed(wire, [wire.call])
/** The connection closes in the middle of the arguments. */
export const cutInCall = (wire: FamilyWire): Replay => streamed(wire, [wire.halfCall], { end: 'destroy' })
/** The connection closes in the middle of the text. */
export const cutInText = (wire: FamilyWire): Replay => streamed(wire, [wire.text], { end: 'destroy' })

const drips = (bytes: Uint8Array, count: number): readonly Uint8Array[] => {
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}
/** The text comes at once, the rest byte by byte. */
const dripping = (wire: FamilyWire, pauseMs: number): Replay => streamed(wire, [wire.text, ...drips(wire.end, 15)], { pauseMs })

const again = { retries: 1, calls: 2 } as const
const once = { retries: 1, calls: 1 } as const
/** A deadline is waited for once: the group does not retry. */
const patient = { retries: 0, calls: 1, failure: 'timeout' } as const

/** Every way to fail. */
export const faults: readonly Fault[] = [
  { title: '429 without Retry-After', replays: (wire) => [refused(wire, 429)], ...again, failure: 'rate_limited' },
  {
    title: '429 whose Retry-After is longer than the longest wait',
    replays: (wire) => [refused(wire, 429, { 'retry-after': '7' })],
    ...once,
    failure: 'rate_limited',
  },
  {
    title: '429 with Retry-After, then an answer',
    replays: (wire) => [refused(wire, 429, { 'retry-after': '1' }), good(wire)],
    ...again,
    passing: 'rate_limited',
    atLeastMs: 1_000,
  },
  ...[500, 503, 529].map(
    (status): Fault => ({ title: String(status), replays: (wire) => [refused(wire, status)], ...again, failure: 'overloaded' }),
  ),
  { title: '503, then an answer', replays: (wire) => [refused(wire, 503), good(wire)], ...again, passing: 'overloaded' },
  {
    title: 'a hang before the headers',
    replays: () => [{ pieces: [], unanswered: 'hold' }],
    ...patient,
    atLeastMs: limits.firstToken * 1_000,
  },
  {
    title: 'a hang after the headers',
    replays: (wire) => [streamed(wire, [], { end: 'hold' })],
    ...patient,
    atLeastMs: limits.firstToken * 1_000,
  },
  {
    title: 'a hang between two tokens',
    replays: (wire) => [streamed(wire, [wire.text], { end: 'hold' })],
    ...patient,
    shown: true,
    atLeastMs: limits.idle * 1_000,
  },
  {
    title: 'a connection that breaks before the headers',
    replays: () => [{ pieces: [], unanswered: 'destroy' }],
    ...again,
    failure: 'transport',
  },
  {
    title: 'a connection that breaks before the first event',
    replays: (wire) => [streamed(wire, [], { end: 'destroy' })],
    ...again,
    failure: 'truncated',
  },
  { title: 'a connection that breaks in the text', replays: (wire) => [cutInText(wire)], ...again, failure: 'truncated', shown: true },
  {
    title: 'a connection that breaks in the text, then an answer',
    replays: (wire) => [cutInText(wire), good(wire)],
    ...again,
    passing: 'truncated',
    shown: true,
  },
  {
    title: 'a connection that ends normally in the text',
    replays: (wire) => [streamed(wire, [wire.text])],
    ...again,
    failure: 'truncated',
    shown: true,
  },
  { title: 'a connection that breaks in the arguments of a call', replays: (wire) => [cutInCall(wire)], ...again, failure: 'truncated' },
  {
    title: 'an error inside an answer with status 200',
    replays: (wire) => [streamed(wire, [wire.text, wire.overloaded])],
    ...again,
    failure: 'overloaded',
    shown: true,
  },
  {
    title: 'a spent quota, inside an answer with status 200',
    replays: (wire) => [streamed(wire, [wire.noMoney])],
    ...once,
    failure: 'quota_exceeded',
  },
  {
    title: 'a page instead of an answer',
    replays: () => [{ headers: { 'content-type': 'text/html' }, pieces: [bytesOf('<html><body>Sign in first</body></html>')] }],
    ...again,
    failure: 'invalid_response',
  },
  {
    title: 'an answer in one piece to a request for a stream',
    replays: ({ whole }) => [{ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(whole)] }],
    ...once,
    inOnePiece: true,
  },
  {
    title: 'a wrong checksum',
    only: 'bedrock',
    replays: (wire) => [streamed(wire, [damagedAnswer])],
    ...again,
    failure: 'invalid_response',
    shown: true,
  },
  { title: 'a slow drip within the limits', replays: (wire) => [dripping(wire, 20)], ...once },
  {
    title: 'a slow drip beyond the limit of the whole call',
    replays: (wire) => [dripping(wire, 300)],
    ...patient,
    shown: true,
    atLeastMs: limits.total * 1_000,
  },
]
