import { defineSandboxDriver } from '../../contracts/sandbox-driver/define-sandbox-driver.js'
import { sandboxProcessNotFoundError, sandboxUnavailableError } from '../../contracts/sandbox-driver/errors.js'
import type {
  ProcessUsage,
  SandboxCommand,
  SandboxDriver,
  SandboxFence,
  SandboxHealth,
  SandboxRequest,
} from '../../contracts/sandbox-driver/sandbox-driver.js'
import { type PlainProcess, refuseUnkept, startPlainProcess } from './plain-process.js'
import { usageOfGroups } from './process-groups.js'

const open: SandboxFence = { state: 'open', by: '', reason: 'This driver is for tests: it confines nothing.' }

const health: SandboxHealth = {
  confines: false,
  mode: 'none',
  fences: { files: open, processes: open, network: open, destinations: open, limits: open },
}

/**
 * A sandbox driver for tests on Linux: real processes without a fence. It runs only what asks for
 * none (`confined: false`, the network on), and says so in its health. A process that leaves its
 * process group escapes it.
 *
 * @example
 * const driver = createPlainSandboxDriver()
 * export const health = driver.health({ signal: new AbortController().signal })
 */
export function createPlainSandboxDriver(): SandboxDriver {
  const running = new Map<string, PlainProcess>()
  return defineSandboxDriver({
    id: 'plain',
    title: 'Plain',
    platforms: ['linux'],
    supports: { terminal: false },
    health: () => Promise.resolve(health),
    run: (request, call) => runPlain(running, request, call),
    async send(id, command) {
      const found = running.get(id)
      if (found === undefined) throw sandboxProcessNotFoundError.create({ id })
      await apply(found, command)
    },
    async measure() {
      const groups = [...running.values()].map(({ group }) => group)
      const usage = await usageOfGroups(groups)
      return [...running.values()].map(({ request, group }): ProcessUsage => {
        const { cpuMs = 0, memoryBytes = 0, processes = 0 } = usage.get(group) ?? {}
        return { id: request.id, principal: request.principal, cpuMs, memoryBytes, processes }
      })
    },
    sweep: () => Promise.resolve({ processes: 0 }),
    forget: () => Promise.resolve(),
  })
}

async function* runPlain(
  running: Map<string, PlainProcess>,
  request: SandboxRequest,
  call: { readonly signal: AbortSignal; readonly input?: AsyncIterable<Uint8Array> },
) {
  refuseUnkept(request, (id) => running.has(id))
  if (request.confined) throw sandboxUnavailableError.create({ reason: open.reason })
  const started = await startPlainProcess(request, call)
  running.set(request.id, started)
  try {
    yield* started.events()
  } finally {
    await started.end('killed', 0)
    running.delete(request.id)
  }
}

async function apply(process: PlainProcess, command: SandboxCommand): Promise<void> {
  switch (command.kind) {
    case 'signal':
      return process.signal(command.signal)
    case 'token':
      return process.replaceToken(command.text)
    case 'end':
      return void process.end(command.reason, command.graceMs)
    case 'resize':
  }
}
