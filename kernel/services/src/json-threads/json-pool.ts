import { setImmediate as nextTurn } from 'node:timers/promises'
import { malformedJsonError, nestingTooDeepError, tooManyValuesError } from '@agent-service/kernel-core/http'
import type { JsonLimits, JsonPool, ReadJson } from '@agent-service/kernel-core/http/body'
import { ClientDisconnectedError } from '@agent-service/kernel-core/http/request'
import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { Piscina } from 'piscina'
import { bodyTooComplexError, tooManyBodiesError } from './errors.js'
import { createJsonBuilder, type JsonSlice } from './json-slices.js'
import type { JsonTask, JsonTaskResult } from './json-task.js'

/** An idle thread ends after this time. */
const idleMs = 30_000
/** How long reading one body may take. */
const readLimitMs = 60_000
/**
 * The memory of a thread, in MiB. The worst body of 32 MiB and a million values takes less than
 * 256.
 */
const defaultThreadMb = 384

/**
 * The young generation in MiB: a larger one keeps more garbage, a smaller one promotes garbage to
 * the old generation.
 */
const youngMb = 8

/**
 * Makes the pool load its task by `import()`. By `require()`, which it tries first, Node aborts the
 * whole process when a thread is ended while the modules of its task are being linked.
 */
const threadFlags = ['--no-experimental-require-module']

interface JsonPoolOptions {
  readonly logger: Pick<Logger, 'warn'>
  /** How many bodies are parsed at a time; more wait. */
  readonly maxThreads: number
  readonly maxThreadMb?: number
}

/** Makes the pool. Threads start on demand, and none keeps the process alive. */
export function createJsonPool(options: JsonPoolOptions): JsonPool {
  let pool: Promise<Piscina<JsonTask, JsonTaskResult>> | undefined
  let closed = false
  return {
    async read(blocks, { schema, ...limits }, signal) {
      if (closed) throw overloaded()
      pool ??= openPool(options)
      const task = { blocks, rules: { schema: plain(schema), ...limits } }
      const within = signalWithin(readLimitMs, signal)
      try {
        const result = await (await pool).run(task, { transferList: blocks.map(({ buffer }) => buffer), signal: within })
        return await bodyOf(result, limits, within)
      } catch (error) {
        if (signal.aborted) throw new ClientDisconnectedError('The exchange ended while its body was parsed.', { cause: signal.reason })
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

/** Loads the library with the first large body, so that the service starts without it. */
async function openPool(options: JsonPoolOptions): Promise<Piscina<JsonTask, JsonTaskResult>> {
  const { logger, maxThreads, maxThreadMb = defaultThreadMb } = options
  const { Piscina } = await import('piscina')
  const pool = new Piscina<JsonTask, JsonTaskResult>({
    filename: new URL('./json-task.js', import.meta.url).href,
    ...{ minThreads: 0, maxThreads, idleTimeout: idleMs },
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb, maxYoungGenerationSizeMb: youngMb },
    ...{ atomics: 'disabled', recordTiming: false, execArgv: threadFlags, env: {} },
  })
  // A failure while a body is read fails that body; these are the other failures.
  pool.on('error', (error: unknown) => logger.warn('An idle thread for JSON bodies failed.', { error }))
  return pool
}

/**
 * Builds the body from a result. The event loop runs between two slices, and a parsed slice is
 * freed.
 */
async function bodyOf(result: JsonTaskResult, limits: JsonLimits, signal: AbortSignal): Promise<ReadJson> {
  if (result.kind === 'malformed') throw malformedJsonError.create({ reason: result.reason })
  if (result.kind === 'too-deep') throw nestingTooDeepError.create({ limit: limits.maxDepth })
  if (result.kind === 'too-many-values') throw tooManyValuesError.create({ limit: limits.maxValues })
  if (result.kind === 'problems') return { body: undefined, problems: result.problems, given: result.given }
  const builder = createJsonBuilder()
  const decoder = new TextDecoder()
  for (let bytes = result.slices.shift(); bytes; bytes = result.slices.shift()) {
    builder.add(JSON.parse(decoder.decode(bytes)) as JsonSlice)
    await nextTurn()
    signal.throwIfAborted()
  }
  return { body: builder.value(), problems: [] }
}

/** A schema as plain data: TypeBox's own marks cannot be sent to another thread. */
const plain = <Schema>(schema: Schema): Schema => JSON.parse(JSON.stringify(schema)) as Schema

const overloaded = (cause?: unknown): Error => tooManyBodiesError.create({}, { cause, retryAfterSeconds: 5 })

const isOutOfMemory = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
