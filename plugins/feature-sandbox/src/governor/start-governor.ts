import type { Logger } from '@agent-service/sdk'
import type { ProcessUsage } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { SandboxSettings } from '../configuration/sandbox-section.js'
import type { DriverSlot } from '../drivers/driver-slot.js'
import type { ExecutionRegistry } from '../executions/execution-registry.js'
import type { UsageLimits } from './decide-ends.js'
import { createGovernor, type Governor } from './governor.js'
import type { MachineSize } from './machine-size.js'

/** The limits of the section, for this machine. */
export function usageLimits(settings: SandboxSettings, { memoryBytes }: MachineSize): UsageLimits {
  const ofMemory = (percent: number): number => Math.floor((memoryBytes * percent) / 100)
  return {
    cpu: settings.max_cpu_pct / 100,
    memoryBytes: ofMemory(settings.max_memory_pct),
    totalCpu: settings.max_total_cpu_pct / 100,
    totalMemoryBytes: ofMemory(settings.max_total_memory_pct),
  }
}

/** The governor over the running processes, by the driver's measuring. */
export function startGovernor(dependencies: {
  readonly settings: SandboxSettings
  readonly machine: MachineSize
  readonly clock: Clock
  readonly log: Logger
  readonly slot: Pick<DriverSlot, 'acquire'>
  readonly registry: Pick<ExecutionRegistry, 'running' | 'find'>
  readonly metrics: { measured(usage: readonly ProcessUsage[]): void }
  readonly signal: AbortSignal
}): Governor {
  const { settings, machine, clock, log, slot, registry, metrics, signal } = dependencies
  return createGovernor({
    ...{ clock, log, signal, processors: machine.processors, limits: usageLimits(settings, machine) },
    running: () =>
      registry
        .running()
        .filter((execution) => !execution.isEnding())
        .map(({ id }) => id),
    async measure(limited) {
      const lease = await slot.acquire()
      try {
        return await lease.value.measure({ signal: AbortSignal.any([limited, lease.signal]) })
      } finally {
        lease.release()
      }
    },
    end: (id, reason) => void registry.find(id)?.stop(reason),
    onMeasured: (usage) => metrics.measured(usage),
  })
}
