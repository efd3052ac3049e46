import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'

const words: Readonly<Record<string, StopReason>> = { stop: 'stop', length: 'length' }

/**
 * The stop reason in the project's vocabulary. The server reports `stop` even if the model called
 * tools.
 */
export function stopReasonOf(raw: string, hasCalls: boolean): StopReason {
  const reason = words[raw] ?? 'other'
  return hasCalls && reason !== 'length' ? 'tool_calls' : reason
}
