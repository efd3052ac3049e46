import { definePlugin } from '@agent-service/sdk'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { agentsService } from '@agent-service/sdk/services/agents'

let work: () => Promise<void> = async () => undefined

/** What the plugin waits for in its setup: agents are there already, and its hook is not. */
export function setLateHook(wanted: typeof work): void {
  work = wanted
}

export default definePlugin({
  manifest: {
    id: 'late-hook-for-tests',
    apiVersion: 1,
    description: 'A hook that is there some time after the agents.',
    contributes: ['agent.run-hook'],
    requires: ['agents'],
  },
  async setup(context) {
    context.use(agentsService)
    await work()
    context.contribute(agentRunHooks, {
      specVersion: 1,
      id: 'late-hook-for-tests',
      title: 'Late guard',
      mask: async ({ texts }) => texts.map(() => '[masked]'),
    })
  },
})
