import { access, constants } from 'node:fs/promises'
import type { Launcher } from '../processes/launch-command.js'
import { type Probe, probe } from './probe.js'

/** What a machine has for confinement, found out by trying; or why it has nothing. */
export type Machine = Probe | { readonly missing: string }

/** Tries everything. Never throws. */
export async function examineMachine(options: {
  readonly platform: string
  readonly launcher: Launcher
  readonly system: readonly string[]
}): Promise<Machine> {
  const { platform, launcher, system } = options
  if (platform !== 'darwin') return { missing: `this driver is for macOS, and this is ${platform}` }
  for (const program of [launcher.sandboxExec, launcher.shell])
    if (!(await canRun(program))) return { missing: `${program} is missing, which is a part of macOS` }
  const found = await probe(launcher, system)
  if ('failed' in found) return { missing: `${launcher.sandboxExec} does not run a program here: ${found.failed}` }
  if (!found.writesInside || !found.reachesForwarded)
    return { missing: `under ${launcher.sandboxExec} a program cannot use what its profile allows` }
  return found
}

const canRun = (program: string): Promise<boolean> =>
  access(program, constants.X_OK).then(
    () => true,
    () => false,
  )
