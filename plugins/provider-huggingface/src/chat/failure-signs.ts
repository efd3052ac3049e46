import type { FailureSign } from '@agent-service/sdk/provider-kit'

/** Signs of failures that only Hugging Face has. */
export const huggingFaceSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', text: /monthly included credits|pre-paid credits|subscribe to pro/i },
  { failure: 'model_not_found', codes: ['model_not_supported'] },
  { failure: 'model_not_found', text: /not supported by (any )?provider|is not a chat model/i, statuses: [400, 404, 422] },
  // Kinds of the text-generation server.
  { failure: 'overloaded', codes: ['overloaded', 'generation', 'incomplete_generation'] },
]
