import { Worker } from 'node:worker_threads'
import { defineError, type JsonObject, type JsonValue, type Problem } from '@agent-service/sdk'
import type { LimitDefinition, Quotas } from '@agent-service/sdk/services/quotas'
import type { SchemaAnswer, SchemaWorkerMessage } from './schema-worker.js'

/** A schema that came with a request cannot be used. */
export const schemaUnusableError = defineError<{ readonly reason: string }>({
  code: 'schema_unusable',
  status: 422,
  title: 'Schema unusable',
  message: ({ reason }) => `The schema cannot be used: ${reason}. Send a valid JSON Schema against which values can be checked.`,
})

/** The user for whom a value is checked, and the abort signal. */
export interface SchemaCheckOptions {
  readonly userId: string
  readonly signal: AbortSignal
}

/** Checks values against schemas that come from neither the service nor a plugin. */
export interface ForeignSchemas {
  /**
   * The problems of a value, as `validate` reports them. A pattern, a recursive reference or a
   * union in such a schema can occupy a processor for hours, and so can its compilation. Both
   * happen in a thread of their own, which is terminated at its time limit; the event loop is never
   * blocked.
   * @throws `schema_unusable`; `limit_reached` and `overloaded` if too many checks wait; the
   * signal's reason.
   */
  check(schema: JsonObject, value: JsonValue, options: SchemaCheckOptions): Promise<readonly Problem[]>
}

/** One check at a time for each user, two in total. */
const checkLimit: LimitDefinition = {
  name: 'schema-checks',
  counts: 'checks against schemas',
  maxPerHolder: 1,
  maxTotal: 2,
  waiting: { maxPerHolder: 200, maxTotal: 2_000, maxMs: 300_000 },
}

/** How long a thread may take to start: long only on a busy machine. */
const startTimeoutMs = 30_000

/**
 * `limitMs`: how long one check may take after its thread has started. No thread runs without a
 * check.
 */
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
        const message = await answerOf(worker, signal, limitMs)
        if ('unusable' in message) throw schemaUnusableError.create({ reason: message.unusable })
        return message.problems
      } finally {
        await worker.terminate()
        hold.release()
      }
    },
  }
}

/** The result of a thread. @throws as {@link ForeignSchemas.check}. */
function answerOf(worker: Worker, signal: AbortSignal, limitMs: number): Promise<SchemaAnswer> {
  return new Promise<SchemaAnswer>((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const refuse = (reason: string) => settle(() => reject(schemaUnusableError.create({ reason })))
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    let timer = setTimeout(() => settle(() => reject(new Error('The thread that checks against a schema did not start.'))), startTimeoutMs)
    worker.on('message', (message: SchemaWorkerMessage) => {
      if (message !== 'begun') return settle(() => resolve(message))
      clearTimeout(timer)
      timer = setTimeout(() => refuse(`checking a value against it takes more than ${limitMs / 1_000} seconds`), limitMs)
      return undefined
    })
    worker.on('error', (error: Error & { readonly code?: unknown }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse('checking a value against it takes too much memory')
      else settle(() => reject(error))
    })
    worker.once('exit', () => settle(() => reject(new Error('The thread that checks against a schema has ended.'))))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
