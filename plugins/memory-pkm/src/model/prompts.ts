import type { Resources } from '@agent-service/sdk/services/resources'
import { sha256 } from '../common/text.js'

/** The instructions of a stage, `prompts/memory/<name>.md` below `storage.shared_config_dir`. */
export interface StagePrompt {
  readonly text: string
  /** Another text has another version: results that were made with it do not count for this one. */
  readonly version: string
}

const names = ['extract', 'classify', 'resolve', 'resolve-playbooks', 'reconcile', 'author', 'author-playbook', 'adjudicate'] as const
export type PromptName = (typeof names)[number]
export type StagePrompts = Readonly<Record<PromptName, StagePrompt>>

/** Reads all of them. @throws `not_found` for one that is missing. */
export async function readPrompts(resources: Resources): Promise<StagePrompts> {
  const read = async (name: PromptName): Promise<readonly [PromptName, StagePrompt]> => {
    const text = (await resources.read(`prompts/memory/${name}.md`)).trim()
    return [name, { text, version: sha256(text).slice(0, 16) }]
  }
  return Object.fromEntries(await Promise.all(names.map(read))) as Record<PromptName, StagePrompt>
}
