import type { SandboxFence, SandboxHealth } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Machine } from './machine/machine.js'

/** Why the network can only be off. */
export const noDestinations =
  'The network can only be off on macOS: this driver has no proxy yet that checks destinations, and the network of the host is never given instead.'

const by = 'sandbox-exec'
const closed: SandboxFence = { state: 'closed', by, reason: '' }
const partial = (reason: string, means = by): SandboxFence => ({ state: 'partial', by: means, reason })
const open = (reason: string): SandboxFence => ({ state: 'open', by: '', reason })

const processesLeft =
  'Processes run as the user of the service. One that leaves its process group and its parent between two measurements can outlive its tree; it stays confined.'
const sharedLoopback =
  'There is no loopback of its own: forwarded and exposed ports can be reached by all programs of this Mac, and processes listen on exposed ports alone.'
const measuredOnly =
  'Memory, processors and the number of processes are measured and ended beyond their limits; macOS stops a tree at none of them before. Time of children that end between two measurements is not counted.'

/** What confines on this machine, and what does not, with the reason. */
export function healthOf(machine: Machine): SandboxHealth {
  const destinations = open(noDestinations)
  const limits = partial(measuredOnly, 'ps and ulimit')
  if ('missing' in machine) {
    const nothing = open(`Nothing confines here: ${machine.missing}.`)
    return { confines: false, mode: 'none', fences: { files: nothing, processes: nothing, network: nothing, destinations, limits } }
  }
  const files =
    machine.readsOutside || machine.writesOutside ? open('A process opened a file outside its lists when that was tried.') : closed
  const processes = machine.signalsService ? open('A process signalled the service when that was tried.') : partial(processesLeft)
  const network = machine.reachesLoopback ? open('A process reached a closed port when that was tried.') : partial(sharedLoopback)
  const confines = files.state !== 'open' && processes.state !== 'open'
  return { confines, mode: confines ? 'sandbox-exec' : 'none', fences: { files, processes, network, destinations, limits } }
}
