import type { Metrics } from '@agent-service/sdk/services/metrics'

/**
 * `retried`: it is sent again later; `gone`: the push service no longer has the subscription;
 * `signed_out`: its session has ended; `refused`: its address may not be reached, or redirects;
 * `rejected`: the push service does not take it; `read`: the person has read it meanwhile.
 */
export type PushOutcome = 'sent' | 'retried' | 'gone' | 'signed_out' | 'refused' | 'rejected' | 'expired' | 'read'

/** What is measured of notifications. */
export interface NotificationMetrics {
  arrived(kind: string): void
  mailed(outcome: string): void
  pushed(outcome: PushOutcome | 'too_many'): void
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
  const pushed = metrics.counter({
    name: 'notification_pushes_total',
    help: 'Attempts to hand a notification to a push service, by outcome.',
    labels: ['outcome'],
  })
  return {
    arrived: (kind) => arrived.add({ kind }),
    mailed: (outcome) => mailed.add({ outcome }),
    pushed: (outcome) => pushed.add({ outcome }),
  }
}
