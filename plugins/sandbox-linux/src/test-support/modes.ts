import type { Machine } from '../machine/machine.js'
import { withoutBubblewrap, withoutGroups } from './create-test-driver.js'

/** The ways in which a machine confines and counts. */
export const sandboxModes = {
  bubblewrap: (machine: Machine): Machine => machine,
  'bubblewrap without control groups': withoutGroups,
  Landlock: withoutBubblewrap,
  'Landlock without control groups': (machine: Machine): Machine => withoutGroups(withoutBubblewrap(machine)),
} as const

export type SandboxMode = keyof typeof sandboxModes
