import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { CompiledRoutes, DispatchTable } from '@agent-service/kernel-core/http/routing'
import { type ApiTexts, describeApi } from './describe-api.js'

/** The description as it is sent. */
export interface ApiDocument {
  readonly bytes: Buffer
  /** Names the content, for entity tags. */
  readonly tag: string
}

/** How long other work waits at most while the description is made. */
const sliceMs = 5

/**
 * The OpenAPI document of the routes that are served at the moment. It is made at the first request
 * for it and again after the routes have changed.
 */
export function createApiDocument(table: Pick<DispatchTable, 'current'>, texts: () => ApiTexts): () => Promise<ApiDocument> {
  let made: { readonly entries: CompiledRoutes['entries']; readonly document: Promise<ApiDocument> } | undefined
  return () => {
    const { entries } = table.current()
    if (made?.entries !== entries) made = { entries, document: makeDocument(entries, texts()) }
    return made.document
  }
}

async function makeDocument(entries: CompiledRoutes['entries'], texts: ApiTexts): Promise<ApiDocument> {
  const steps = describeApi(entries, texts)
  let until = performance.now() + sliceMs
  let step = steps.next()
  while (!step.done) {
    if (performance.now() > until) {
      await setImmediate()
      until = performance.now() + sliceMs
    }
    step = steps.next()
  }
  const bytes = Buffer.from(JSON.stringify(step.value))
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url') }
}
