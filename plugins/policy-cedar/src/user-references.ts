import type { PolicyText } from '@agent-service/sdk/contracts/policy-engine'

/**
 * Whether a policy may name a single user. False is certain: an entity is written as its type and
 * `::`, so “User” counts as one unless it ends an `is User`. Cedar sees an id only by comparing it
 * with another entity.
 */
export const mayReferToUsers = (policies: readonly PolicyText[]): boolean =>
  policies.some(({ text }) => /\bUser\b(?!\s*[,);&|}])/.test(text))
