import type { ModelClient } from '@agent-service/sdk/provider-kit'
import type { CopilotTokens } from '../copilot/copilot-tokens.js'
import type { RefusedFields } from './refused-fields.js'

/** Shared dependencies of an adapter's calls, and the signal of one call. */
export interface CallMeans {
  readonly signal: AbortSignal
  readonly client: ModelClient
  readonly refusedFields: RefusedFields
  readonly copilotTokens: CopilotTokens
}
