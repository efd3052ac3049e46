import { type NamedTool, readAll } from '@agent-service/sdk/web'
import { api, sharedQuery } from '../api/index.js'

/**
 * All tools that the person's agents can have, by name, read once for as long as the page is open.
 * Calls are told in their words as they are now, old calls too; a call of a tool that is gone is
 * told by its name.
 */
const tools = sharedQuery<ReadonlyMap<string, NamedTool>>({
  key: ['named_tools'],
  initial: new Map(),
  follow: false,
  read: async (signal) => {
    const found = await readAll((cursor) =>
      api.get('/api/tools', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal }),
    )
    return new Map(found.map(({ name, title, display }) => [name, { name, title, display }]))
  },
})

/** Names that no tool had when the tools were read for them. */
const absent = new Set<string>()

/** What is known of a tool now; reads the tools when it is not among them, once for each name. */
export function knownTool(name: string): NamedTool {
  const known = tools.value().get(name)
  if (known === undefined && name !== '' && !absent.has(name))
    void tools.read().then(() => {
      if (tools.error() === undefined) absent.add(name)
    })
  return known ?? { name }
}
