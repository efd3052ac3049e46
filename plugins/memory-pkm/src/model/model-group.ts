import type { Inference } from '@agent-service/sdk/services/inference'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'

/** `memory.model_group` where there is such a group, else `primary`; undefined if there is neither. */
export function modelGroupOf(inference: Pick<Inference, 'groups'>, settings: Pick<MemorySettings, 'model_group'>): string | undefined {
  const known = new Set(inference.groups().map(({ name }) => name))
  return [settings.model_group, 'primary'].find((name) => known.has(name))
}
