import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { Piscina } from 'piscina'
import { bodyTooComplexError, malformedJsonError, nestingTooDeepError, tooManyBodiesError, tooManyValuesError } from '../errors.js'
import { ClientGoneError } from '../request/exchange.js'
import type { JsonLimits } from './json-shape.js'
import { createJsonBuilder, type JsonSlice } from './json-slices.js'
import type { JsonTask, JsonTaskResult } from './json-task.js'
import type { JsonRules, ReadJson } from './read-json.js'

/** A thread ends after so long without work. */
const idleMs = 30_000
/** The longest that one body may take. */
const readLimitMs = 60_000
/** What a thread may hold, in MiB. The worst body of 32 MiB and a million values takes less than 256. */
const defaultThreadMb = 384

/** For the youngest values: more of it holds more garbage, and less lets some of that become old. */
const youngMb = 8

interface JsonPoolOptions {
  readonly logger: Pick<Logger, 'warn'>
  /** How many bodies are parsed at a time; more wait. */
  readonly maxThreads: number
  readonly maxThreadMb?: number
}

/** Parses and validates large bodies in threads. */
export interface JsonPool {
  /**
   * The event loop is never held for long, however large the body is. The bytes are moved to the thread and must not be used afterwards.
   *
   * @throws `malformed_json`, `nesting_too_deep`; `body_too_complex` when the body takes more memory than a thread has, which ends that
   * thread alone; `overloaded` when it takes too long or the pool is closed; {@link ClientGoneError} when the signal aborts.
   */
  read(bytes: Uint8Array<ArrayBuffer>, rules: JsonRules, signal: AbortSignal): Promise<ReadJson>
  /** Ends the threads. What is being read fails. May be called again. */
  close(): Promise<void>
}

/** Makes the pool. A thread starts with a large body, and none keeps the process alive. */
export function createJsonPool(options: JsonPoolOptions): JsonPool {
  let pool: Promise<Piscina<JsonTask, JsonTaskResult>> | undefined
  let closed = false
  return {
    async read(bytes, { schema, ...limits }, signal) {
      if (closed) throw overloaded()
      pool ??= openPool(options)
      const task = { bytes, rules: { schema: plain(schema), ...limits } }
      const within = signalWithin(readLimitMs, signal)
      try {
        const result = await (await pool).run(task, { transferList: [bytes.buffer], signal: within })
        return await bodyOf(result, limits, within)
      } catch (error) {
        if (signal.aborted) throw new ClientGoneError('The exchange ended while its body was parsed.', { cause: signal.reason })
        if (isOutOfMemory(error)) throw bodyTooComplexError.create({}, { cause: error })
        if (closed || within.aborted) throw overloaded(error)
        throw error
      }
    },
    async close() {
      closed = true
      await (await pool)?.destroy()
    },
  }
}

/** Loaded with the first large body: the start does not wait for it. */
async function openPool(options: JsonPoolOptions): Promise<Piscina<JsonTask, JsonTaskResult>> {
  const { logger, maxThreads, maxThreadMb = defaultThreadMb } = options
  const { Piscina } = await import('piscina')
  const pool = new Piscina<JsonTask, JsonTaskResult>({
    filename: new URL('./json-task.js', import.meta.url).href,
    ...{ minThreads: 0, maxThreads, idleTimeout: idleMs },
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb, maxYoungGenerationSizeMb: youngMb },
    ...{ atomics: 'disabled', recordTiming: false },
  })
  // What fails while it reads a body fails that body; this is about the others.
  pool.on('error', (error: unknown) => logger.warn('A thread for JSON bodies failed without a body.', { error }))
  return pool
}

/** The body of a result. Others get their turn between two slices, and a slice is forgotten once it is parsed. */
async function bodyOf(result: JsonTaskResult, limits: JsonLimits, signal: AbortSignal): Promise<ReadJson> {
  if (result.kind === 'malformed') throw malformedJsonError.create({ reason: result.reason })
  if (result.kind === 'too-deep') throw nestingTooDeepError.create({ limit: limits.maxDepth })
  if (result.kind === 'too-many-values') throw tooManyValuesError.create({ limit: limits.maxValues })
  if (result.kind === 'problems') return { body: undefined, problems: result.problems }
  const builder = createJsonBuilder()
  const decoder = new TextDecoder()
  for (let bytes = result.slices.shift(); bytes; bytes = result.slices.shift()) {
    builder.add(JSON.parse(decoder.decode(bytes)) as JsonSlice)
    await nextTurn()
    signal.throwIfAborted()
  }
  return { body: builder.value(), problems: [] }
}

/** Schemas are data; what TypeBox marks them with cannot cross to another thread. */
const plain = <Schema>(schema: Schema): Schema => JSON.parse(JSON.stringify(schema)) as Schema

const overloaded = (cause?: unknown): Error => tooManyBodiesError.create({}, { cause, retryAfterSeconds: 5 })

const isOutOfMemory = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
