import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of channels. */
export interface ChannelMetrics {
  /** An attempt to connect ended: `connected`, or the kind of its failure. */
  connected(channel: string, outcome: string): void
  /** A message came: `taken`, `repeated`, or why it is passed over. */
  received(channel: string, outcome: string): void
  /** A delivery has another state. */
  delivered(state: string): void
  /** An agent has sent a file: as a `file` or a `link`; or it was `refused`. */
  file(outcome: 'file' | 'link' | 'refused'): void
  webhook(channel: string, status: number): void
  /** From the moment at which a message was stored to its run, in milliseconds. */
  started(delayMs: number): void
}

export function createChannelMetrics(metrics: Metrics, read: () => Readonly<Record<string, number>>): ChannelMetrics {
  const connected = metrics.counter({
    name: 'channel_connects_total',
    help: 'Attempts to connect to a channel, by outcome: connected, or the kind of failure.',
    labels: ['channel', 'outcome'],
  })
  const received = metrics.counter({
    name: 'channel_messages_received_total',
    help: 'Messages from channels, by what became of them: taken, repeated, or why they were passed over.',
    labels: ['channel', 'outcome'],
  })
  const delivered = metrics.counter({
    name: 'channel_deliveries_total',
    help: 'Deliveries to channels, by the state that they came to: sent, unknown or failed.',
    labels: ['state'],
  })
  const webhooks = metrics.counter({
    name: 'channel_webhooks_total',
    help: 'Requests of vendors to webhooks of connections, by the class of the answer.',
    labels: ['channel', 'status'],
  })
  const files = metrics.counter({
    name: 'channel_files_total',
    help: 'Files that agents sent to conversations, by how: file, link, or refused.',
    labels: ['outcome'],
  })
  const starts = metrics.histogram({
    name: 'channel_start_seconds',
    help: 'Time from the storing of a message to the start of its run.',
    labels: [],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
  })
  metrics.gauge({
    name: 'channel_connections',
    help: 'Connections that this process looks after, by state.',
    labels: ['state'],
    read: () => Object.entries(read()).map(([state, value]) => ({ labels: { state }, value })),
  })
  return {
    connected: (channel, outcome) => connected.add({ channel, outcome }),
    received: (channel, outcome) => received.add({ channel, outcome }),
    delivered: (state) => delivered.add({ state }),
    file: (outcome) => files.add({ outcome }),
    webhook: (channel, status) => webhooks.add({ channel, status: `${Math.floor(status / 100)}xx` }),
    started: (delayMs) => starts.observe({}, Math.max(0, delayMs) / 1_000),
  }
}
