import { availableParallelism, totalmem } from 'node:os'

/** What percentages refer to. */
export interface MachineSize {
  readonly processors: number
  readonly memoryBytes: number
}

export const readMachineSize = (): MachineSize => ({ processors: availableParallelism(), memoryBytes: totalmem() })
