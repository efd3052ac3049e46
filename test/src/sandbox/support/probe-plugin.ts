import { definePlugin } from '@agent-service/sdk'
import { type SandboxDriver, type SandboxRequest, sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { type Sandbox, sandboxService } from '@agent-service/sdk/services/sandbox'
import { createPlainSandboxDriver } from '@agent-service/sdk/testing'

let provided: Sandbox | undefined
const requests: SandboxRequest[] = []
const forgotten: string[] = []

/** What the plugin got and was asked. */
export const probe = {
  /** The service of the kernel that started last. */
  sandbox(): Sandbox {
    if (provided === undefined) throw new Error('The plugin of the test has not started.')
    return provided
  },
  /** What the driver was asked to run, oldest first. */
  requests: requests as readonly SandboxRequest[],
  /** The principals that the driver was told to forget. */
  forgotten: forgotten as readonly string[],
}

const closed = { state: 'closed', by: 'the test', reason: '' } as const

/** Real processes without a fence: the test looks at what the service asks for, not at what a driver keeps. */
function createProbeDriver(): SandboxDriver {
  const plain = createPlainSandboxDriver()
  const fences = { files: closed, processes: closed, network: closed, destinations: closed, limits: closed }
  return {
    ...plain,
    id: 'probe',
    health: () => Promise.resolve({ confines: true, mode: 'test', fences }),
    run(request, call) {
      requests.push(request)
      return plain.run({ ...request, network: { access: 'on', destinations: [], forward: [], expose: [] }, confined: false }, call)
    },
    forget: (principal) => Promise.resolve(void forgotten.push(principal)),
  }
}

export default definePlugin({
  manifest: {
    id: 'sandbox-probe',
    apiVersion: 1,
    description: 'A driver without fences, and a way to the sandbox, for tests.',
    contributes: ['sandbox.driver'],
    requires: ['sandbox'],
  },
  setup(context) {
    provided = context.use(sandboxService)
    context.contribute(sandboxDrivers, createProbeDriver())
  },
})
