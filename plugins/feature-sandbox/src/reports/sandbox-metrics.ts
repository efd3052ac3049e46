import { ServiceError } from '@agent-service/sdk'
import type { ProcessUsage } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'

/** Counts what runs in the sandbox and what it takes. */
export interface SandboxMetrics {
  started(view: SandboxProcessView): void
  ended(view: SandboxProcessView): void
  refused(error: unknown): void
  measured(usage: readonly ProcessUsage[]): void
}

export function createSandboxMetrics(metrics: Metrics, running: () => readonly SandboxProcessView[]): SandboxMetrics {
  let memoryBytes = 0
  /** What of a running tree is counted already, in milliseconds. */
  const counted = new Map<string, number>()
  const starts = metrics.counter({
    name: 'sandbox_processes_started_total',
    help: 'Processes of the sandbox that started, by their kind.',
    labels: ['kind'],
  })
  const ends = metrics.counter({
    name: 'sandbox_processes_ended_total',
    help: 'Processes of the sandbox that ended, by the reason.',
    labels: ['reason'],
  })
  const refusals = metrics.counter({
    name: 'sandbox_refusals_total',
    help: 'Processes that the sandbox did not start, by the code of the error.',
    labels: ['code'],
  })
  const cpu = metrics.counter({ name: 'sandbox_cpu_seconds_total', help: 'Processor time of all processes of the sandbox.', labels: [] })
  metrics.gauge({
    ...{ name: 'sandbox_processes', help: 'Running processes of the sandbox by their kind.', labels: ['kind'] },
    read() {
      const counts = new Map<string, number>()
      for (const { kind } of running()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return [...counts].map(([kind, value]) => ({ labels: { kind }, value }))
    },
  })
  metrics.gauge({
    ...{ name: 'sandbox_memory_bytes', help: 'Memory of all processes of the sandbox, as last measured.', labels: [] },
    read: () => [{ labels: {}, value: running().length === 0 ? 0 : memoryBytes }],
  })
  const count = (id: string, cpuMs: number): void => {
    const before = counted.get(id) ?? 0
    if (cpuMs <= before) return
    cpu.add({}, (cpuMs - before) / 1_000)
    counted.set(id, cpuMs)
  }
  return {
    started: ({ kind }) => starts.add({ kind }),
    ended({ id, exit }) {
      ends.add({ reason: exit?.reason ?? 'killed' })
      count(id, exit?.cpuMs ?? 0)
      counted.delete(id)
    },
    refused: (error) => refusals.add({ code: ServiceError.isInstance(error) ? error.code : 'internal' }),
    measured(usage) {
      memoryBytes = usage.reduce((sum, each) => sum + each.memoryBytes, 0)
      for (const { id, cpuMs } of usage) count(id, cpuMs)
    },
  }
}
