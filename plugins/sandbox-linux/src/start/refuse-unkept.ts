import { realpath } from 'node:fs/promises'
import { type SandboxRequest, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { isBelow } from '../confinement/system-paths.js'
import { type PinnedPath, pinPaths } from '../files/pinned-paths.js'
import { type Mode, noDestinations } from '../health/health.js'
import type { Machine } from '../machine/machine.js'

/**
 * Returns what must still be there when it is granted.
 * @throws `sandbox_refused` for what this machine cannot keep.
 */
export async function refuseUnkept(
  { directory, files, network, confined }: SandboxRequest,
  { networks }: Machine,
  mode: Mode,
): Promise<readonly PinnedPath[]> {
  const refuse = (reason: string): never => {
    throw sandboxRefusedError.create({ reason })
  }
  if (!networks && network.access !== 'off') refuse(noDestinations)
  if (!networks && (network.forward.length > 0 || network.expose.length > 0))
    refuse('this machine gives the service no network namespace, so no port can be forwarded')
  if (!confined) return []
  for (const each of [directory, ...files.write, ...files.deny]) {
    const real = await realpath(each).catch(() => undefined)
    if (real === undefined) refuse(`${each} does not exist`)
    if (real !== each) refuse(`${each} leads over a symbolic link to ${String(real)}; name that path`)
  }
  const pins = await pinPaths(files, directory)
  if ('swapped' in pins) return refuse(`${pins.swapped} does not exist, or leads over a symbolic link`)
  const granted = [...files.read, ...files.write]
  const below = files.deny.find((denied) => granted.some((each) => isBelow(denied, each)))
  const readOnly = files.read.find((each) => files.write.some((folder) => folder !== each && isBelow(each, folder)))
  if (mode === 'Landlock' && readOnly !== undefined)
    refuse(`${readOnly} cannot be read-only below a folder that may be changed by Landlock; install bubblewrap`)
  if (mode === 'Landlock' && below !== undefined) refuse(`${below} cannot be denied below a granted path by Landlock; install bubblewrap`)
  return pins.pinned
}
