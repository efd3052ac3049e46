import { describeSandboxDriver, type SuiteRunner } from '@agent-service/sdk/testing'
import { createMacosDriver, type MacosDriver } from './macos-driver.js'
import { closedEverywhere } from './test-support/examined.js'
import { createStandIn, type StandIn } from './test-support/stand-in.js'

const onMac = process.platform === 'darwin'
const opened: (MacosDriver | StandIn)[] = []

/** On a Mac the driver as it is. Elsewhere a stand-in that checks its call, and claims to confine. */
async function create() {
  if (onMac) {
    const made = createMacosDriver()
    opened.push(made)
    return made.driver
  }
  const standIn = await createStandIn()
  const made = createMacosDriver({ platform: 'darwin', launcher: standIn.launcher, examined: () => closedEverywhere })
  opened.push(standIn, made)
  return made.driver
}

async function dispose(): Promise<void> {
  for (const each of opened.splice(0).reverse()) await ('close' in each ? each.close() : each.remove())
}

/** What only the kernel of a Mac keeps. */
const fences: readonly string[] = [
  'keeps files outside the lists from being read, changed, linked and removed',
  'keeps a denied path closed below one that may be written',
  'keeps a path that may only be read from changes, below one that may be written',
  'shows a principal no process of another one or of the service',
  'closes the network while it is off, but for forwarded ports',
]

const runner: SuiteRunner = {
  ...{ describe, before, after, beforeEach, afterEach },
  it(title, test) {
    if (onMac || !fences.includes(title)) it(title, test)
  },
}

describeSandboxDriver({ name: onMac ? 'macos' : 'macos with a stand-in for sandbox-exec', create, dispose, runner })
