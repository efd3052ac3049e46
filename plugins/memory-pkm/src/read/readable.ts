import type { MemoryReader, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/records.js'

/** Whether a memory of this scope counts for the reader, who has already been checked for the user. */
export function isInScope(scope: MemoryScope, { agentId, spaceId }: MemoryReader): boolean {
  if (scope.kind === 'agent') return agentId === undefined || scope.agentId === agentId
  if (scope.kind === 'space') return spaceId === undefined ? agentId === undefined : scope.spaceId === spaceId
  return true
}

/** Whether it holds now, or at another time by what is known now. Pages and playbooks always do. */
export function holds(memory: StoredMemory, now: number, asOf?: string): boolean {
  if (memory.forgotten) return false
  if (memory.type === 'page' || memory.type === 'playbook') return true
  const time = asOf === undefined ? now : Date.parse(asOf)
  if (memory.valid_to !== null && time >= Date.parse(memory.valid_to)) return false
  // What begins later is known from the time at which it came up.
  return asOf === undefined || Math.min(Date.parse(memory.created_at), Date.parse(memory.valid_from ?? memory.created_at)) <= time
}
