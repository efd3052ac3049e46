import { Worker } from 'node:worker_threads'
import { defineError, type JsonObject, type JsonValue, type Problem } from '@agent-service/sdk'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { SchemaAnswer, SchemaWorkerMessage } from './schema-worker.js'

/** A schema that came with a request cannot be used. */
export const schemaUnusableError = defineError<{ readonly reason: string }>({
  code: 'schema_unusable',
  status: 422,
  title: 'Schema unusable',
  message: ({ reason }) => `The schema cannot be used: ${reason}. Give a JSON Schema that can be checked.`,
})

/** For whom a value is checked, and until when. */
export interface SchemaCheckOptions {
  readonly userId: string
  readonly signal: AbortSignal
}

/** Checks against schemas that are neither ours nor a plugin's. */
export interface ForeignSchemas {
  /**
   * What is wrong with a value, as `validate` says it. A pattern, a reference to itself or a union in such a schema can take a processor for hours, and
   * compiling it too: so both are done in a thread of its own, that is ended at its limit; the event loop is never held.
   * @throws `schema_unusable`; `limit_reached` and `overloaded` where too many wait; the reason of the signal.
   */
  check(schema: JsonObject, value: JsonValue, options: SchemaCheckOptions): Promise<readonly Problem[]>
}

/** One check of a user at a time, two of all. */
const checkLimit: LimitDefinition = {
  name: 'schema-checks',
  counts: 'checks against schemas',
  maxPerHolder: 1,
  maxTotal: 2,
  waiting: { maxPerHolder: 200, maxTotal: 2_000, maxMs: 300_000 },
}

/** The longest that a thread may take to start, which is long only where the machine is busy. */
const startTimeoutMs = 30_000

/** Makes them. `limitMs`: the longest that one check may take, once its thread has started. No thread runs without a check. */
export function createForeignSchemas({ quotas, limitMs = 5_000 }: { readonly quotas: Quotas; readonly limitMs?: number }): ForeignSchemas {
  const limit = quotas.limit(checkLimit)
  return {
    async check(schema, value, { userId, signal }) {
      const hold = await limit.acquire(`user:${userId}`, 1, { signal })
      const worker = new Worker(new URL('./schema-worker.js', import.meta.url), {
        workerData: { schema, value },
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: 128 },
      })
      try {
        const said = await answerOf(worker, signal, limitMs)
        if ('unusable' in said) throw schemaUnusableError.create({ reason: said.unusable })
        return said.problems
      } finally {
        await worker.terminate()
        hold.release()
      }
    },
  }
}

/** The one answer of a thread. @throws as {@link ForeignSchemas.check}. */
function answerOf(worker: Worker, signal: AbortSignal, limitMs: number): Promise<SchemaAnswer> {
  return new Promise<SchemaAnswer>((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const refuse = (reason: string) => settle(() => reject(schemaUnusableError.create({ reason })))
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    let timer = setTimeout(() => settle(() => reject(new Error('The thread that checks a schema did not start.'))), startTimeoutMs)
    worker.on('message', (said: SchemaWorkerMessage) => {
      if (said !== 'begun') return settle(() => resolve(said))
      clearTimeout(timer)
      timer = setTimeout(() => refuse(`checking a value against it takes more than ${limitMs / 1_000} seconds`), limitMs)
      return undefined
    })
    worker.on('error', (error: Error & { readonly code?: unknown }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse('checking a value against it takes too much memory')
      else settle(() => reject(error))
    })
    worker.once('exit', () => settle(() => reject(new Error('The thread that checks a schema has ended.'))))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
