import type { Logger } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'

/** One part of what all agents are told: the file `prompts/NN-name.md`. */
export interface SharedSection {
  /** What an agent's `prompts` names it by. */
  readonly name: string
  /** Trimmed. */
  readonly text: string
}

const fileName = /^\d\d-([a-z][a-z0-9-]{0,39})\.md$/

/**
 * Reads the shared sections in the order of their file names. A file that is called otherwise, or whose name another file has already, is passed over with a
 * warning.
 */
export async function readSharedSections(resources: Resources, log: Logger): Promise<readonly SharedSection[]> {
  const sections: SharedSection[] = []
  for (const file of (await resources.list('prompts')).filter((name) => name.endsWith('.md'))) {
    const name = fileName.exec(file)?.[1]
    if (name === undefined || sections.some((section) => section.name === name)) {
      const problem = name === undefined ? 'expected a name such as 10-agent.md' : `there is a section “${name}” already`
      log.warn('A shared part of the prompt is passed over.', { file: `prompts/${file}`, problem })
      continue
    }
    sections.push({ name, text: (await resources.read(`prompts/${file}`)).trim() })
  }
  return sections
}
