import type { PolicyText } from '@agent-service/sdk/contracts/policy-engine'

/**
 * Whether a policy may name a single user. Certain where it says no: an entity is written as its type and `::`, so that “User” before anything but
 * what ends `is User` counts as one. Cedar sees an id only by comparing it with another entity.
 */
export const mayNameUsers = (policies: readonly PolicyText[]): boolean => policies.some(({ text }) => /\bUser\b(?!\s*[,);&|}])/.test(text))
