import { createKept, type NamedTool } from '@agent-service/sdk/web'
import { api, type Schemas } from '../api/index.js'

type ToolPage = Schemas['ToolPage']

/**
 * All tools that the person's agents can have, by name, read once for as long as the page is open.
 * Calls are told in their words as they are now, old calls too; a call of a tool that is gone is
 * told by its name.
 */
const tools = createKept<ReadonlyMap<string, NamedTool>>(new Map(), async () => {
  const found = new Map<string, NamedTool>()
  let cursor: string | null = null
  do {
    const query = { limit: 200, ...(cursor !== null && { cursor }) }
    const page: ToolPage = await api.get('/api/tools', { query })
    for (const { name, title, display } of page.items) found.set(name, { name, title, display })
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
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
