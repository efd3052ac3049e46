import type { Logger } from '@agent-service/sdk'
import type { Inference, ModelGroup } from '@agent-service/sdk/services/inference'
import { createTokenCounter } from '../tokens/create-token-counter.js'
import type { TokenWorker } from '../tokens/create-token-worker.js'

/** Discards everything. */
export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}

/** A counter with one group, `primary`, for a model. */
export function countWith(options: {
  readonly worker: Pick<TokenWorker, 'count'>
  readonly log: Logger
  readonly model: string
  readonly changes?: Partial<ModelGroup>
}): Inference['countTokens'] {
  const group: ModelGroup = { name: 'primary', provider: 'work', model: options.model, context_window: 128_000, ...options.changes }
  return createTokenCounter({
    groups: () => [group],
    limits: { default_max_tokens: 8_192 },
    worker: options.worker,
    log: options.log,
  })
}
