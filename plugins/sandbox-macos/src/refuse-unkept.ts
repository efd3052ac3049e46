import { realpath } from 'node:fs/promises'
import {
  checkSandboxRequest,
  type SandboxHealth,
  type SandboxRequest,
  sandboxRefusedError,
  sandboxUnavailableError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import { noDestinations } from './health.js'
import { kernelPath } from './profile/host-paths.js'

const refuse = (reason: string): never => {
  throw sandboxRefusedError.create({ reason })
}

/** @throws `sandbox_refused` for a request that could mean something else. */
export function refuseUnsafe(request: SandboxRequest): void {
  const [problem] = checkSandboxRequest(request)
  if (problem !== undefined) refuse(`${problem.path} ${problem.message}`)
  if (request.command[0].startsWith('-')) refuse('/command/0 must not begin with “-”')
}

/** @throws `sandbox_unavailable` where nothing confines, `sandbox_refused` for what a Mac cannot keep. */
export async function refuseUnkept(request: SandboxRequest, health: SandboxHealth): Promise<void> {
  const { files, network, confined, directory } = request
  if (confined && !health.confines) throw sandboxUnavailableError.create({ reason: reasonOf(health) })
  if (network.access !== 'off') refuse(noDestinations)
  if (health.fences.network.state === 'open') refuse(`the network cannot be closed. ${health.fences.network.reason}`)
  if (!confined) return
  for (const each of [directory, ...files.write, ...files.deny]) {
    const real = await realpath(each).catch(() => undefined)
    if (real === undefined) refuse(`${each} does not exist`)
    // The kernel judges the path that a link leads to, and the name as it is written on the disk.
    if (real !== each && real !== kernelPath(each))
      refuse(`${each} is ${String(real)} on the disk, over a link or in another spelling; name that path`)
  }
}

const reasonOf = ({ fences }: SandboxHealth): string => (fences.files.state === 'open' ? fences.files : fences.processes).reason
