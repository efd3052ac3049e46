import type { Metrics } from '@agent-service/sdk/services/metrics'

const secondsOfSending = [0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60]

/** What is measured of e-mail. */
export interface MailMetrics {
  /** An attempt ended: `sent`, `failed`, `retried` or `unknown`. */
  attempted(outcome: string): void
  /** The server took an e-mail after so many milliseconds. */
  took(milliseconds: number): void
}

/** Counts e-mails; `isPaused` says whether the server cannot be used at the moment. */
export function createMailMetrics(metrics: Metrics, isPaused: () => boolean): MailMetrics {
  const attempts = metrics.counter({
    name: 'mail_attempts_total',
    help: 'Attempts to send e-mails by outcome: sent, failed, retried or unknown.',
    labels: ['outcome'],
  })
  const duration = metrics.histogram({
    name: 'mail_send_seconds',
    help: 'Time until the mail server took an e-mail.',
    labels: [],
    buckets: secondsOfSending,
  })
  metrics.gauge({
    name: 'mail_server_paused',
    help: '1 while the mail server cannot be used and nothing is tried, else 0.',
    labels: [],
    read: () => [{ labels: {}, value: isPaused() ? 1 : 0 }],
  })
  return {
    attempted: (outcome) => attempts.add({ outcome }),
    took: (milliseconds) => duration.observe({}, Math.max(0, milliseconds) / 1_000),
  }
}
