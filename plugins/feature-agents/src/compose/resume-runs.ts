import { onceForEach } from '../common/once-for-each.js'
import { agentCollection } from '../store/agents/agent.js'
import type { DelegatedRuns } from '../tools/delegated-runs.js'
import type { RunEngine } from './create-run-engine.js'
import type { UsedServices } from './use-services.js'

/** Takes up the runs that an earlier process left, each once its tools are there, and ends those that no call waits for any more. */
export async function resumeRuns(
  { database }: UsedServices,
  { runs, presence, delegatedRuns }: Pick<RunEngine, 'runs' | 'presence'> & { readonly delegatedRuns: DelegatedRuns },
): Promise<void> {
  const agents = database.collection(agentCollection)
  // One agent may have a thousand of them, and all wait for the same tools.
  const toolsPresent = onceForEach(async (agentId: string) => presence.until((await agents.get(agentId))?.tools ?? []))
  await runs.resumeAll(async (run) => {
    if (!(await delegatedRuns.endUnwanted(run))) await toolsPresent(run.agent_id)
  })
  await delegatedRuns.endUnwantedWaiting()
}
