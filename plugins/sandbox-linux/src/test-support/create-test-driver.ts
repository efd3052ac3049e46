import { compiledHelper } from '../helper/compile-helper.js'
import { findHelper } from '../helper/find-helper.js'
import { createLinuxDriver, type LinuxDriver, type LinuxDriverOptions } from '../linux-driver.js'
import type { Machine } from '../machine/machine.js'
import type { SandboxUser } from '../machine/sandbox-users.js'

const open: LinuxDriver[] = []

/** The user of a principal in tests. */
export async function testUserOf(principal: string): Promise<SandboxUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const number = [...principal].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000, 7)
  return { uid: 2_100_000_000 + number, gid: 2_100_000_000 + number }
}

/** A driver for the machine that a test runs on, or for a lesser one. */
export function createTestDriver(options: Partial<LinuxDriverOptions> = {}): LinuxDriver {
  const made = createLinuxDriver({ helper: () => compiledHelper(), userOf: testUserOf, ...options })
  open.push(made)
  return made
}

/** Closes the drivers of a test. */
export async function closeTestDrivers(): Promise<void> {
  for (const each of open.splice(0)) await each.close()
}

export const withoutBubblewrap = (machine: Machine): Machine => ({ ...machine, bubblewrap: { missing: 'not for this test' } })
export const withoutGroups = (machine: Machine): Machine => ({ ...machine, groups: undefined })
export const withoutCompiler = () => findHelper(() => Promise.resolve({ missing: 'no compiler in this test' }))
