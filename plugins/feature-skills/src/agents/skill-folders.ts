import type { Agents } from '@agent-service/sdk/services/agents'
import type { Skills } from '@agent-service/sdk/services/skills'
import type { SkillCatalogue } from '../catalogue/catalogue.js'
import { isAbsent } from '../folders/is-absent.js'
import { openForOthers } from '../folders/open-for-others.js'
import type { SkillStore } from '../store/skill-store.js'

/** The folders of an agent's skills, for its processes to read. */
export const createSkillFolders = ({
  catalogue,
  agents,
}: {
  readonly catalogue: SkillCatalogue
  readonly agents: Pick<Agents, 'details'>
}): Skills => ({
  async folders({ userId, agentId }, { signal }) {
    const names = (await agents.details(userId, agentId))?.skills ?? []
    const folders: string[] = []
    for (const { name, source } of await catalogue.enabled({ userId, agentId }, names)) {
      signal.throwIfAborted()
      const store = await catalogue.store(source, { userId, agentId })
      // One that was removed a moment ago is left out.
      const folder = await readableFolder(store, name, source !== 'bundled').catch((error: unknown) => {
        if (isAbsent(error)) return undefined
        throw error
      })
      if (folder !== undefined) folders.push(folder)
    }
    return folders
  },
})

async function readableFolder(store: SkillStore, name: string, mayChange: boolean): Promise<string | undefined> {
  const folder = await store.hostPath(name)
  return (await openForOthers(folder, mayChange)) ? folder : undefined
}
