import { type JsonObject, ServiceError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { skillPaths } from './read-disk.js'
import { warningsOf } from './skill-words.js'

/**
 * Does something with each skill below a path of the disk, and says what its author should mend. Of a
 * collection, one that is refused is named and does not keep the others from being done; the status is
 * then 1. @throws what `work` throws, for a single skill.
 */
export async function eachSkill(
  path: string,
  { warn, print, signal }: Pick<CommandContext, 'warn' | 'print' | 'signal'>,
  work: (path: string) => Promise<JsonObject>,
): Promise<{ readonly status: 0 | 1; readonly json: JsonObject }> {
  const paths = await skillPaths(path)
  const items: JsonObject[] = []
  const refused: JsonObject[] = []
  for (const each of paths) {
    signal.throwIfAborted()
    try {
      const skill = await work(each)
      items.push(skill)
      for (const warning of warningsOf(skill)) await warn(`${String(skill['name'])}/${warning}`, { style: 'yellow' })
    } catch (error) {
      if (paths.length === 1 || !ServiceError.isInstance(error) || error.status >= 500 || error.status === 401) throw error
      refused.push({ path: each, message: error.message })
      await warn(`${each}: ${error.message}`, { style: 'yellow' })
    }
  }
  const [only] = items
  if (only && paths.length === 1) return { status: 0, json: only }
  await print(`${items.length} of ${paths.length} skills are in order; refused: ${refused.length}.`)
  return { status: refused.length === 0 ? 0 : 1, json: { items, refused } }
}
