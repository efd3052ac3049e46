import type { MemoryScope } from '@agent-service/sdk/contracts/memory-backend'

/** One word for a scope: memories of one pass are all of one. */
export function scopeKey(scope: MemoryScope): string {
  if (scope.kind === 'agent') return `agent:${scope.agentId}`
  return scope.kind === 'space' ? `space:${scope.spaceId}` : 'user'
}
