import type { Logger } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'

/** A section of the prompt that all agents share: the file `prompts/NN-name.md`. */
export interface SharedSection {
  /** Its name in an agent's `prompts`. */
  readonly name: string
  /** Trimmed. */
  readonly text: string
}

const fileName = /^\d\d-([a-z][a-z0-9-]{0,39})\.md$/

/**
 * Reads the shared sections in the order of their file names. A file with another kind of name, or
 * with the section name of an earlier file, is skipped with a warning.
 */
export async function readSharedSections(resources: Resources, log: Logger): Promise<readonly SharedSection[]> {
  const sections: SharedSection[] = []
  for (const file of (await resources.list('prompts')).filter((name) => name.endsWith('.md'))) {
    const name = fileName.exec(file)?.[1]
    if (name === undefined || sections.some((section) => section.name === name)) {
      const problem = name === undefined ? 'expected a name such as 10-agent.md' : `the section “${name}” already exists`
      log.warn('A shared section of the prompt is skipped.', { file: `prompts/${file}`, problem })
      continue
    }
    sections.push({ name, text: (await resources.read(`prompts/${file}`)).trim() })
  }
  return sections
}
