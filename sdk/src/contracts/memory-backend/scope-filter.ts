import type { MemoryScope } from './memory-record.js'

/** Only what is in this memory, not what a reader sees beside it. */
export type MemoryScopeFilter =
  | { readonly kind: 'user' }
  /** Absent `agentId`: of any agent. */
  | { readonly kind: 'agent'; readonly agentId?: string }
  /** Absent `spaceId`: of any space. */
  | { readonly kind: 'space'; readonly spaceId?: string }

/** Whether a filter lets a scope through; without a filter all. */
export function isInMemoryScope(scope: MemoryScope, filter: MemoryScopeFilter | undefined): boolean {
  if (filter === undefined) return true
  if (filter.kind === 'agent') return scope.kind === 'agent' && (filter.agentId === undefined || filter.agentId === scope.agentId)
  if (filter.kind === 'space') return scope.kind === 'space' && (filter.spaceId === undefined || filter.spaceId === scope.spaceId)
  return scope.kind === 'user'
}
