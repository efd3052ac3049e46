import { definePlugin } from '@agent-service/sdk'
import { type Sandbox, sandboxService } from '@agent-service/sdk/services/sandbox'

let used: Sandbox | undefined

/** The sandbox of the kernel that started last. */
export function usedSandbox(): Sandbox {
  if (used === undefined) throw new Error('The plugin of the test has not started.')
  return used
}

export default definePlugin({
  manifest: { id: 'sandbox-user', apiVersion: 1, description: 'A way to the sandbox, for tests.', requires: ['sandbox'] },
  setup(context) {
    used = context.use(sandboxService)
  },
})
