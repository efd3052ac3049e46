import type { PolicyEffect } from '@agent-service/sdk/contracts/policy-engine'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A policy of this deployment as it is stored. Its text was valid when it was stored. */
export interface PolicyRecord {
  readonly id: string
  /** Its purpose, in the author's words. */
  readonly description: string
  readonly effect: PolicyEffect
  readonly text: string
  /** If false, the policy is stored but has no effect. */
  readonly enabled: boolean
  readonly created_at: string
  readonly updated_at: string
}

/**
 * The guard of all stored policies: every change raises `revision`, so that concurrent changes
 * conflict.
 */
export interface PolicyGuardRecord {
  readonly id: 'policies'
  readonly revision: number
  readonly count: number
}

export const policies = defineCollection<PolicyRecord>()({
  name: 'kernel.policies',
  version: 1,
  indexes: { by_creation: { fields: ['created_at'] } },
})

export const policyGuard = defineCollection<PolicyGuardRecord>()({ name: 'kernel.policy_guard', version: 1, indexes: {} })

/** The collections of policies, for the kernel's `openFor`. */
export const policyCollections: readonly CollectionDefinition[] = [policies, policyGuard]
