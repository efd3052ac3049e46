import type { FailureSign } from '@agent-service/sdk/provider-kit'

/** Signs of failures that only Ollama has. */
export const ollamaSigns: readonly FailureSign[] = [
  { failure: 'bad_request', text: /does not support (tools|thinking|images|vision|chat|generate)/i },
  // No wait makes the machine larger.
  { failure: 'overloaded', text: /requires more system memory|cudaMalloc failed: out of memory/i, retryable: false },
  // Of the hosted service: by the hour, the day or the week.
  { failure: 'quota_exceeded', text: /usage limit/i, statuses: [402, 429] },
  { failure: 'overloaded', text: /server busy|maximum pending requests exceeded/i },
]
