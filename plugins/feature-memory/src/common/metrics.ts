import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { ChangeKind } from './changes.js'

/** How a call of a back end ended. */
export type CallOutcome = 'done' | 'failed' | 'unavailable' | 'aborted'

/** What is measured of memory. */
export interface MemoryMetrics {
  /** A call of the back end ended. */
  called(what: string, outcome: CallOutcome, milliseconds: number): void
  /** The memories of a user were changed, by a person or an agent. */
  changed(change: ChangeKind): void
  /** A prompt got the text of memories from the cache, or from the back end. */
  prompted(from: 'cache' | 'backend' | 'nothing'): void
  /** A sweep ended. */
  swept(outcome: 'done' | 'failed' | 'aborted', users: number): void
}

export function createMemoryMetrics(metrics: Metrics, isAvailable: () => boolean): MemoryMetrics {
  const calls = metrics.counter({
    name: 'memory_calls_total',
    help: 'Calls of the memory back end by what was asked and how it ended: done, failed, unavailable or aborted.',
    labels: ['what', 'outcome'],
  })
  const durations = metrics.histogram({
    name: 'memory_call_seconds',
    help: 'Time of calls of the memory back end, without sweeps and transfers.',
    labels: ['what'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  })
  const changes = metrics.counter({
    name: 'memory_changes_total',
    help: 'Changes of memories by people and agents: remembered, changed, forgotten, imported, restored, retried, excluded, included.',
    labels: ['change'],
  })
  const prompts = metrics.counter({
    name: 'memory_prompts_total',
    help: 'Memories for prompts, by where they came from: cache, backend, or nothing while the back end does not answer.',
    labels: ['from'],
  })
  const sweeps = metrics.counter({
    name: 'memory_sweeps_total',
    help: 'Sweeps of the memory back end by how they ended: done, failed or aborted.',
    labels: ['outcome'],
  })
  const users = metrics.counter({ name: 'memory_swept_users_total', help: 'Users with pending work that sweeps have found.', labels: [] })
  metrics.gauge({
    name: 'memory_available',
    help: '1 while the memory back end runs, else 0.',
    labels: [],
    read: () => [{ labels: {}, value: isAvailable() ? 1 : 0 }],
  })
  return {
    called(what, outcome, milliseconds) {
      calls.add({ what, outcome })
      durations.observe({ what }, Math.max(0, milliseconds) / 1_000)
    },
    changed: (change) => changes.add({ change }),
    prompted: (from) => prompts.add({ from }),
    swept(outcome, count) {
      sweeps.add({ outcome })
      users.add({}, count)
    },
  }
}
