import { strict as assert } from 'node:assert'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { type CallOutcome, outcomeOf } from '../replay/call-outcome.js'
import { createRandom } from '../replay/random-cuts.js'
import type { Recording } from '../replay/recordings.js'
import { bytesOf, type Replay, type ReplayServer, startReplayServer } from '../replay/replay-server.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { type Damage, damageOf, inOtherOrder } from './damage.js'

/** The options of {@link describeDamagedAnswers}. */
export interface DamagedAnswersOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the adapter; once. */
  create(): ProviderAdapter
  /** Answers of the adapter's protocol; those that are whole and no errors are used. */
  readonly recordings: readonly Recording[]
  /** The request that gets the replayed answer, usually `requestTo(baseUrl, { protocol })`. */
  request(baseUrl: string, recording: Recording): ModelRequest
  /** Of the damages. Print it, so that a failure can be repeated. */
  readonly seed: number
  /** How many damaged answers are made. Default 20. */
  readonly damages?: number
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}

/**
 * Replays recorded answers to an adapter in other framings, under other content types, with pauses,
 * cut, silent before their end, with two documents in the wrong order, and with errors of gateways in
 * them. Either the whole answer arrives, or a failure after all that came; an
 * error has the words that stood there, and is not to be tried again if it cannot succeed; the
 * endpoint is called once.
 *
 * @example
 * describeDamagedAnswers({
 *   name: 'house',
 *   create: createAdapter,
 *   recordings: openRecordings('fixtures').below('house'),
 *   request: requestAt,
 *   seed: 1,
 * })
 */
export function describeDamagedAnswers(options: DamagedAnswersOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`damaged answers, ${options.name}`, () => {
    const adapter = options.create()
    let replay: Replay = { pieces: [] }
    let server: ReplayServer
    runner.before(async () => {
      server = await startReplayServer(() => replay)
    })
    runner.after(() => server.close())
    const outcome = async (recording: Recording, next: Replay): Promise<CallOutcome> => {
      replay = next
      const before = server.seen.length
      const request = options.request(server.baseUrl, recording)
      const found = await outcomeOf(adapter, next.end === 'hold' ? { ...request, timeouts: shortTimeouts } : request)
      assert.equal(server.seen.length - before, 1, 'the endpoint was called again')
      return found
    }

    runner.it(`arrive whole, or fail after what came (seed ${options.seed})`, async () => {
      const random = createRandom(options.seed)
      const usable = options.recordings.filter(({ status, truncated }) => status < 300 && !truncated)
      assert.ok(usable.length > 0, 'recordings is empty')
      let checked = 0
      for (let count = 0; count < (options.damages ?? 20); ) {
        const recording = usable[Math.floor(random() * usable.length)]
        if (!recording) continue
        const whole = await outcome(recording, { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] })
        count += 1
        if (!whole.finished) continue
        checked += 1
        const damage = damageOf(recording, random)
        const came =
          damage.complete === undefined ? whole : await outcome(recording, beginningOf(recording.documents, recording, damage.complete))
        if (damage.swapped !== undefined) {
          const early = await outcome(
            recording,
            beginningOf(inOtherOrder(recording.documents, damage.swapped), recording, damage.swapped + 1),
          )
          checkSwapped(await outcome(recording, damage.replay), { whole, came, early, place: `${recording.name}: ${damage.name}` })
          continue
        }
        checkDamaged(await outcome(recording, damage.replay), { whole, came, damage, place: `${recording.name}: ${damage.name}` })
      }
      assert.ok(checked > 0, 'no recording was answered while it was undamaged, so nothing could be checked')
    })
  })
}

/** The first documents of a stream, as its vendor sends them, before its connection breaks. */
const beginningOf = (documents: Recording['documents'], recording: Recording, complete: number): Replay => ({
  headers: { 'content-type': recording.kind === 'ndjson' ? 'application/x-ndjson' : 'text/event-stream' },
  pieces: documents
    .slice(0, complete)
    .map((document) => bytesOf(recording.kind === 'ndjson' ? `${JSON.stringify(document)}\n` : `data: ${JSON.stringify(document)}\n\n`)),
  end: 'destroy',
})

/** For an answer that falls silent. */
const shortTimeouts: ModelRequest['timeouts'] = { connectMs: 5_000, firstTokenMs: 500, idleMs: 500, totalMs: 15_000 }

/** What was sent in another order arrives, in whatever order, or the call fails after what came before. */
function checkSwapped(
  found: CallOutcome,
  {
    whole,
    came,
    early,
    place,
  }: { readonly whole: CallOutcome; readonly came: CallOutcome; readonly early: CallOutcome; readonly place: string },
): void {
  for (const kind of ['text', 'reasoning'] as const) {
    assert.ok(found[kind].startsWith(came[kind]), `${place}: ${kind} was lost: ${found[kind]}`)
    // The end of the answer arrived early: what comes after it is no part of it.
    if (found.finished && !came.finished && !early.finished) assert.equal(sorted(found[kind]), sorted(whole[kind]), `${place}: ${kind}`)
  }
}

const sorted = (text: string): string => [...text].sort().join('')

interface Expected {
  readonly whole: CallOutcome
  /** The outcome of what came whole. */
  readonly came: CallOutcome
  readonly damage: Damage
  readonly place: string
}

function checkDamaged(found: CallOutcome, { whole, came, damage, place }: Expected): void {
  for (const kind of ['text', 'reasoning'] as const) {
    assert.ok(whole[kind].startsWith(found[kind]), `${place}: ${kind} that was not sent: ${found[kind]}`)
    assert.ok(found[kind].length >= came[kind].length, `${place}: ${kind} was lost: ${found[kind]}`)
  }
  if (damage.complete === undefined) {
    assert.equal(found.error?.message, undefined, place)
    assert.deepEqual(found.finished?.content, whole.finished?.content, place)
    return
  }
  // What comes after the model has stopped is no part of the answer.
  if (came.finished) return
  if (damage.words === undefined) {
    const isWhole = found.finished !== undefined && found.text === came.text
    assert.ok(isWhole || found.error !== undefined, `${place}: an answer although it was cut`)
    if (damage.replay.end !== undefined) assert.equal(found.finished, undefined, place)
    return
  }
  const { failure, retryable, reason } = found.error?.details ?? {}
  if (found.finished && found.text === came.text) return
  assert.deepEqual({ failure, retryable }, { failure: 'quota_exceeded', retryable: false }, `${place}: ${found.error?.message}`)
  assert.ok(String(reason).includes(damage.words), `${place}: the words are missing in: ${String(reason)}`)
}
