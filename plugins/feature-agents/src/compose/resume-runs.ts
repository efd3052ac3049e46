import { onceForEach } from '../common/once-for-each.js'
import type { UnwantedRuns } from '../run-service/unwanted-runs.js'
import { agentCollection } from '../store/agents/agent.js'
import type { RunEngine } from './create-run-engine.js'
import type { UsedServices } from './use-services.js'

/** Takes up the runs that an earlier process left, each once its tools are there, and ends those whose parent has ended. */
export async function resumeRuns(
  { database }: UsedServices,
  { runs, presence, unwanted }: Pick<RunEngine, 'runs' | 'presence'> & { readonly unwanted: UnwantedRuns },
): Promise<void> {
  const agents = database.collection(agentCollection)
  // One agent may have a thousand of them, and all wait for the same tools.
  const toolsPresent = onceForEach(async (agentId: string) => presence.until((await agents.get(agentId))?.tools ?? []))
  await runs.resumeAll(async (run) => {
    if (await unwanted.end(run)) return
    unwanted.endWithParent(run)
    await toolsPresent(run.agent_id)
  })
  await unwanted.endWaiting()
}
