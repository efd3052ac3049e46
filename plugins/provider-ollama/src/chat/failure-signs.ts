import type { FailureSign } from '@agent-service/sdk/provider-kit'

/** Signs of failures that only Ollama has. */
export const ollamaSigns: readonly FailureSign[] = [
  { failure: 'bad_request', text: /does not support (tools|thinking|images|vision|chat|generate)/i },
  // Waiting does not give the machine more memory.
  { failure: 'overloaded', text: /requires more system memory|cudaMalloc failed: out of memory/i, retryable: false },
  // Limits of the hosted service: per hour, day or week.
  { failure: 'quota_exceeded', text: /usage limit/i, statuses: [402, 429] },
  { failure: 'overloaded', text: /server busy|maximum pending requests exceeded/i },
]
