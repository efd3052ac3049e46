import type { OrphanedRuns } from '../run-service/orphaned-runs.js'
import { agentCollection } from '../store/agents/agent.js'
import type { RunEngine } from './create-run-engine.js'
import type { UsedServices } from './use-services.js'

/**
 * Resumes the runs that an earlier process left, each as soon as its tools are available, and ends
 * those whose parent has ended.
 */
export async function resumeWithTools(
  { database }: UsedServices,
  { runs, presence, orphaned }: Pick<RunEngine, 'runs' | 'presence'> & { readonly orphaned: OrphanedRuns },
): Promise<void> {
  const agents = database.collection(agentCollection)
  // One agent may have a thousand runs, which all wait for the same tools.
  const toolsPresent = memoize(async (agentId: string) => presence.until((await agents.get(agentId))?.tools ?? []))
  await runs.resumeAll(async (run) => {
    if (await orphaned.end(run)) return
    orphaned.endWithParent(run)
    await toolsPresent(run.agent_id)
  })
  await orphaned.endWaiting()
}

/**
 * Does a piece of work once for each key; later calls with that key get the same result or error.
 */
function memoize<Result>(work: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const begun = new Map<string, Promise<Result>>()
  return (key) => {
    const known = begun.get(key)
    if (known) return known
    const result = work(key)
    begun.set(key, result)
    return result
  }
}
