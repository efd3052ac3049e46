import { isDeltaName } from '@agent-service/kernel-core/events'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import { subscriptionInvalidError } from './errors.js'

/** A subscription with every default filled in. */
export interface SubscriptionOptions extends Required<Omit<EventSubscription, 'handle'>> {
  readonly handle: EventSubscription['handle']
}

const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Minimum, maximum, default. */
const ranges = {
  maxAgeSeconds: [60, 2_592_000, 604_800],
  maxEvents: [1, 100_000, 10_000],
  maxAttempts: [1, 100, 10],
  maxConcurrentUsers: [1, 64, 8],
  timeoutSeconds: [1, 3_600, 60],
} as const

/**
 * Checks a subscription and fills in its defaults.
 * @throws `subscription_invalid` with the first problem.
 */
export function subscriptionOptions(subscription: EventSubscription): SubscriptionOptions {
  const { id, names } = subscription
  const refuse = (reason: string): Error => subscriptionInvalidError.create({ id: String(id), reason })
  if (typeof id !== 'string' || id.length > 64 || !idPattern.test(id)) throw refuse('its id must be kebab-case, at most 64 characters')
  if (!Array.isArray(names) || names.length === 0 || names.length > 50) throw refuse('it must have 1 to 50 names')
  const delta = names.find(isDeltaName)
  if (delta !== undefined) throw refuse(`“${delta}” is a delta, and deltas are not kept; subscribe to state events`)
  if (typeof subscription.handle !== 'function') throw refuse('it needs a function “handle”')
  const numbers = Object.entries(ranges).map(([member, [lowest, highest, usual]]) => {
    const value: unknown = subscription[member as keyof typeof ranges] ?? usual
    if (typeof value !== 'number' || !Number.isInteger(value) || value < lowest || value > highest)
      throw refuse(`${member} must be a whole number from ${lowest} to ${highest}, is ${String(value)}`)
    return [member, value] as const
  })
  return {
    id,
    names: [...new Set(names)],
    handle: (event, options) => subscription.handle(event, options),
    ...(Object.fromEntries(numbers) as Record<keyof typeof ranges, number>),
  }
}
