import type { MetricSource } from '@agent-service/kernel-core/metrics'

/** The outcomes of events, by subscription, in this process. */
export interface SubscriptionCounts {
  handled(subscription: string): void
  failed(subscription: string): void
  setAside(subscription: string): void
  dropped(subscription: string, events: number): void
  readonly metrics: readonly MetricSource[]
}

export function createSubscriptionCounts(): SubscriptionCounts {
  const counter = (name: string, help: string) => {
    const values = new Map<string, number>()
    const source: MetricSource = {
      ...{ name, help, kind: 'counter' },
      samples: () => [...values].map(([subscription, value]) => ({ labels: { subscription }, value })),
    }
    return { source, add: (subscription: string, value = 1) => void values.set(subscription, (values.get(subscription) ?? 0) + value) }
  }
  const handled = counter('event_subscription_handled_total', 'Events that a subscription has handled.')
  const failed = counter('event_subscription_failures_total', 'Attempts to handle an event that failed.')
  const aside = counter('event_subscription_set_aside_total', 'Events that were set aside after the last attempt.')
  const dropped = counter('event_subscription_dropped_total', 'Events dropped because a subscription was too far behind.')
  return {
    handled: (subscription) => handled.add(subscription),
    failed: (subscription) => failed.add(subscription),
    setAside: (subscription) => aside.add(subscription),
    dropped: (subscription, events) => dropped.add(subscription, events),
    metrics: [handled.source, failed.source, aside.source, dropped.source],
  }
}
