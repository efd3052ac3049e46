import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * A process that drives runs. The record exists while the process is alive, for other processes
 * that share the store.
 */
export type RunDriverRecord = { readonly id: string; readonly lease_until: string }

export const runDriverCollection = defineCollection<RunDriverRecord>()({
  name: 'agents.run_drivers',
  version: 1,
  indexes: { by_end: { fields: ['lease_until'] } },
})
