import type { SandboxDriver, SandboxHealth, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { createPlainSandboxDriver } from '@agent-service/sdk/testing'

const closed = { state: 'closed', by: 'the test', reason: '' } as const

/** What the open driver says of itself: a machine where everything is closed. */
export const soundHealth: SandboxHealth = {
  confines: true,
  mode: 'test',
  fences: { files: closed, processes: closed, network: closed, destinations: closed, limits: closed },
}

/** A driver for tests that says that it confines, and does not. It records what it was asked. */
export interface OpenDriver {
  readonly driver: SandboxDriver
  /** As the service made them, oldest first. */
  readonly requests: readonly SandboxRequest[]
  readonly forgotten: readonly string[]
  readonly sweeps: () => number
}

/** Real processes without a fence, so that a test sees what the service asks of any driver. */
export function createOpenDriver(changes: Partial<SandboxDriver> = {}): OpenDriver {
  const plain = createPlainSandboxDriver()
  const requests: SandboxRequest[] = []
  const forgotten: string[] = []
  let sweeps = 0
  const driver: SandboxDriver = {
    ...plain,
    id: 'open',
    health: () => Promise.resolve(soundHealth),
    run(request, call) {
      requests.push(request)
      const { terminal: _, ...piped } = request
      const network = { access: 'on', destinations: [], forward: [], expose: request.network.expose } as const
      return plain.run({ ...piped, network, confined: false }, call)
    },
    sweep() {
      sweeps += 1
      return Promise.resolve({ processes: 0 })
    },
    forget(principal) {
      forgotten.push(principal)
      return Promise.resolve()
    },
    ...changes,
  }
  return { driver, requests, forgotten, sweeps: () => sweeps }
}
