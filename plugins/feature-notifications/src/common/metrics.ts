import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of notifications. */
export interface NotificationMetrics {
  arrived(kind: string): void
  mailed(outcome: string): void
}

export function createNotificationMetrics(metrics: Metrics): NotificationMetrics {
  const arrived = metrics.counter({
    name: 'notifications_total',
    help: 'Notifications that arrived, by kind.',
    labels: ['kind'],
  })
  const mailed = metrics.counter({
    name: 'notification_mails_total',
    help: 'Notifications that were to go by e-mail, by outcome: stored, no_address, unavailable or too_many.',
    labels: ['outcome'],
  })
  return { arrived: (kind) => arrived.add({ kind }), mailed: (outcome) => mailed.add({ outcome }) }
}
