import { definePlugin, type JsonObject, Type } from '@agent-service/sdk'
import { type Tool, type ToolScope, tools } from '@agent-service/sdk/contracts/tool'

/** What the tools of {@link placesPlugin} name and say; a test sets it, all kernels of the process share it. */
export interface Places {
  /** Read when the plugin is set up. Undefined: the tool names no kinds of calls. */
  scopes: ((input: JsonObject) => readonly ToolScope[]) | undefined
  purpose: (input: JsonObject) => string
  /** The inputs of the calls that ran, in order. */
  visited: JsonObject[]
}

/** The host and everything on it, and the path alone. */
const byHost = ({ host, path = '/' }: JsonObject): readonly ToolScope[] => [
  { key: `page ${String(host)}${String(path)}`, label: `Visit ${String(host)}${String(path)}` },
  { key: `host ${String(host)}`, label: `Visit every page of ${String(host)}` },
]

export const places: Places = { scopes: byHost, purpose: ({ host }) => `Visit ${String(host)}`, visited: [] }

/** Starts over with a tool that names the kinds of its calls. */
export const resetPlaces = (): void =>
  void Object.assign(places, { scopes: byHost, purpose: ({ host }: JsonObject) => `Visit ${String(host)}`, visited: [] })

const visit = (scopes: Places['scopes']): Tool => ({
  specVersion: 1,
  name: 'places__visit',
  title: 'Visit a place',
  description: 'Visits a place, for a test.',
  parameters: Type.Object({ host: Type.String(), path: Type.Optional(Type.String()) }),
  supports: { probe: false },
  purpose: (input) => places.purpose(input),
  ...(scopes && { scopes }),
  async execute(input) {
    places.visited.push(input)
    return { content: [{ type: 'text', text: 'visited' }] }
  },
})

export default definePlugin({
  manifest: { id: 'places', apiVersion: 1, description: 'A tool for tests whose calls are of kinds.', contributes: ['tool'] },
  setup: (context) => void context.contribute(tools, visit(places.scopes)),
})
