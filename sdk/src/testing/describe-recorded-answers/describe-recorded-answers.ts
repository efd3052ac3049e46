import { strict as assert } from 'node:assert'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { type CallOutcome, outcomeOf } from '../replay/call-outcome.js'
import { createRandom, cutRandomly } from '../replay/random-cuts.js'
import type { Recording } from '../replay/recordings.js'
import { type Replay, type ReplayServer, startReplayServer } from '../replay/replay-server.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'

/** The number of concurrent calls. */
const atOnce = 12

/** The options of {@link describeRecordedAnswers}. */
export interface RecordedAnswersOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the adapter; once. */
  create(): ProviderAdapter
  /** Answers of the adapter's protocol, whole and cut ones. */
  readonly recordings: readonly Recording[]
  /** The request that gets the replayed answer, usually `requestTo(baseUrl, { protocol })`. */
  request(baseUrl: string, recording: Recording): ModelRequest
  /**
   * Compares an outcome with the recording. Throws if they differ. For a cut recording: with the
   * content before the cut.
   */
  check(outcome: CallOutcome, recording: Recording): void
  /**
   * The number of bytes after which a stream is complete although more follows (a trailer, a
   * terminator); `undefined` for an answer that is not to be cut. Without this member nothing is
   * cut.
   */
  completeFrom?(recording: Recording): number | undefined
  /** Cuts at every byte of a recording up to this size, else at every seventh. Default 3,000. */
  readonly everyByteUpTo?: number
  /** Of the random borders. Print it, so that a failure can be repeated. */
  readonly seed: number
  /** The number of random chunkings of each answer. Default 200. */
  readonly chunkings?: number
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}

/**
 * Replays recorded answers to an adapter: in one write, byte by byte and in many random chunkings,
 * which must all give the same answer; and cut anywhere, which must fail as `truncated` with the
 * beginning of the text and without a call.
 *
 * @example
 * describeRecordedAnswers({
 *   name: 'house',
 *   create: createAdapter,
 *   recordings: openRecordings('fixtures').below('house'),
 *   request: requestAt,
 *   check: ({ finished }) => assert.equal(finished?.stop_reason, 'stop'),
 *   seed: 1,
 * })
 */
export function describeRecordedAnswers(options: RecordedAnswersOptions): void {
  const { recordings, seed } = options
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`recorded answers, ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `recorded answers, ${options.name}`)
    if (!options.completeFrom) unchecked.without('completeFrom', 'an answer that is cut anywhere is truncated, without a call')
    const adapter = options.create()
    const replays = new Map<string, Replay>()
    let server: ReplayServer
    let count = 0
    runner.before(async () => {
      server = await startReplayServer(({ url }) => replays.get(url.split('/')[1] ?? '') ?? { status: 404, pieces: [] })
    })
    runner.after(() => server.close())

    const outcome = async (recording: Recording, pieces: readonly Uint8Array[], more: Partial<Replay> = {}): Promise<CallOutcome> => {
      const place = `replay-${count++}`
      replays.set(place, { status: recording.status, headers: headersOf(recording), pieces, ...more })
      try {
        return await outcomeOf(adapter, options.request(server.baseUrl.replace(/v1$/, place), recording))
      } finally {
        replays.delete(place)
      }
    }

    runner.it('are there', () => {
      assert.ok(recordings.length > 0, 'recordings is empty')
    })

    for (const recording of recordings) {
      runner.it(`${recording.name}: in one write, byte by byte, and in random chunks (seed ${seed})`, async () => {
        const whole = await outcome(recording, [recording.bytes])
        options.check(whole, recording)
        const expected = comparable(whole)
        const single = Array.from(recording.bytes, (_, index) => recording.bytes.subarray(index, index + 1))
        assert.deepEqual(comparable(await outcome(recording, single)), expected, 'byte by byte')
        const random = createRandom(seed)
        const chunkings = Array.from({ length: options.chunkings ?? 200 }, () => cutRandomly(recording.bytes, random))
        await inBatches(chunkings, async (pieces, number) => {
          assert.deepEqual(comparable(await outcome(recording, pieces)), expected, `chunking ${number} of seed ${seed}`)
        })
      })

      const completeFrom = recording.truncated ? undefined : options.completeFrom?.(recording)
      if (completeFrom === undefined) continue
      runner.it(`${recording.name}: cut anywhere it is truncated, with the beginning of its text and no call`, async () => {
        const whole = await outcome(recording, [recording.bytes])
        const step = recording.bytes.length <= (options.everyByteUpTo ?? 3_000) ? 1 : 7
        const offsets = Array.from({ length: Math.floor(recording.bytes.length / step) }, (_, index) => index * step)
        await inBatches(offsets, async (offset) => {
          // Both ways in which a connection can end.
          const end = (offset / step) % 2 === 0 ? ({ end: 'destroy' } as const) : {}
          checkCut(await outcome(recording, [recording.bytes.subarray(0, offset)], end), whole, offset >= completeFrom, offset)
        })
      })
    }
  })
}

function checkCut(cut: CallOutcome, whole: CallOutcome, isComplete: boolean, offset: number): void {
  if (isComplete) {
    assert.deepEqual(cut.finished?.content, whole.finished?.content, `at byte ${offset}`)
    return
  }
  assert.equal(cut.finished, undefined, `an answer although it was cut at byte ${offset}`)
  assert.equal(cut.error?.details['failure'], 'truncated', `at byte ${offset}`)
  assert.ok(whole.text.startsWith(cut.text), `the text at byte ${offset}`)
  assert.ok(whole.reasoning.startsWith(cut.reasoning), `the reasoning at byte ${offset}`)
}

const headersOf = ({ headers, contentType }: Recording): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name)),
  ),
  'content-type': contentType,
})

/** The outcome without the chunk borders: deltas are joined. */
const comparable = ({ finished, text, reasoning, error }: CallOutcome): unknown => ({
  finished,
  text,
  reasoning,
  error: error && { failure: error.details['failure'], reason: error.details['reason'] },
})

async function inBatches<T>(items: readonly T[], each: (item: T, number: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += atOnce) {
    await Promise.all(items.slice(start, start + atOnce).map((item, index) => each(item, start + index)))
  }
}
