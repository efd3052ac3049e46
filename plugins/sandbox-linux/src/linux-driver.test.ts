import { fileURLToPath } from 'node:url'
import { describeSandboxDriver } from '@agent-service/sdk/testing'
import { createLinuxDriver, type LinuxDriver } from './linux-driver.js'
import type { Machine } from './machine/machine.js'

const helper = fileURLToPath(new URL('../build/confine', import.meta.url))
const open: LinuxDriver[] = []

async function numberOf(principal: string): Promise<number> {
  return [...principal].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_000
}

function create(examined: (machine: Machine) => Machine) {
  const made = createLinuxDriver({
    helper,
    userOf: async (principal) => {
      if (process.getuid?.() !== 0) return undefined
      const uid = 700_000_000 + (await numberOf(principal))
      return { uid, gid: uid }
    },
    examined,
  })
  open.push(made)
  return made.driver
}

const dispose = async (): Promise<void> => {
  for (const each of open.splice(0)) await each.close()
}

describeSandboxDriver({ name: 'linux by bubblewrap', create: () => create((machine) => machine), dispose })
describeSandboxDriver({
  name: 'linux by Landlock',
  create: () => create((machine) => ({ ...machine, bubblewrap: { missing: 'not for this test' } })),
  dispose,
})
