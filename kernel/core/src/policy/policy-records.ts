import type { PolicyEffect } from '@agent-service/sdk/contracts/policy-engine'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A policy of this deployment as it is stored. Its text was valid when it was stored. */
export interface PolicyRecord {
  readonly id: string
  /** What it is for, in the words of whoever made it. */
  readonly description: string
  readonly effect: PolicyEffect
  readonly text: string
  /** Without it the policy is kept and has no effect. */
  readonly enabled: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** What the stored policies are decided about as one: every change raises `revision`, so that no two of them pass each other. */
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
