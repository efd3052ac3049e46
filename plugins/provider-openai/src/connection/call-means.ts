import type { ModelClient } from '@agent-service/sdk/provider-kit'
import type { CopilotTokens } from '../copilot/copilot-tokens.js'
import type { RefusedFields } from './refused-fields.js'

/** What calls of an adapter share, and the signal of one. */
export interface CallMeans {
  readonly signal: AbortSignal
  readonly client: ModelClient
  readonly refusedFields: RefusedFields
  readonly copilotTokens: CopilotTokens
}
