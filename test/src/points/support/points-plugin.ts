import { EventEmitter, on } from 'node:events'
import { definePlugin, type JsonValue } from '@agent-service/sdk'
import { type AgentPromptSection, agentPromptSections, type PromptSectionContext } from '@agent-service/sdk/contracts/agent-prompt-section'
import { type AgentRunHook, agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import { type SourceTool, type ToolSourceChange, type ToolSourceOwner, toolSources } from '@agent-service/sdk/contracts/tool-source'

/** What the plugin says and does; a test sets it, all kernels of the process share it. */
export interface Desk {
  readonly sections: Map<string, (context: PromptSectionContext, signal: AbortSignal) => Promise<string | undefined>>
  readonly asked: { readonly section: string; readonly context: PromptSectionContext }[]
  hook: Partial<AgentRunHook>
  readonly notes: Map<string, JsonValue>
  readonly part: { fails: boolean; readonly erased: string[] }
  readonly tools: Map<string, SourceTool>
  readonly lists: ToolSourceOwner[]
  execute(name: string, context: ToolContext): Promise<ToolResult>
  /** Reports a changed list. */
  changed(change: ToolSourceChange): void
}

const bus = new EventEmitter()
bus.setMaxListeners(100)

const initial = (): Desk => ({
  sections: new Map(),
  asked: [],
  hook: {},
  notes: new Map(),
  part: { fails: false, erased: [] },
  tools: new Map(),
  lists: [],
  execute: async (name) => ({ content: [{ type: 'text', text: `${name} is done` }] }),
  changed: (change) => void bus.emit('change', change),
})

let desk = initial()

/** Starts over with a plugin that says and does nothing. */
export function clearDesk(): Desk {
  desk = initial()
  return desk
}

export const sourceTool = (name: string, changes: Partial<SourceTool> = {}): SourceTool => ({
  name,
  description: `The tool ${name} of a test.`,
  parameters: { type: 'object', properties: {} },
  effect: 'read',
  ...changes,
})

const sectionNamed = (id: string, members: Pick<AgentPromptSection, 'order' | 'kind' | 'maxTokens' | 'priority'>): AgentPromptSection => ({
  specVersion: 1,
  id: `town-hall-${id}`,
  title: `Section ${id}`,
  timeoutMs: 300,
  ...members,
  async text(context, { signal }) {
    desk.asked.push({ section: id, context })
    return desk.sections.get(id)?.(context, signal)
  },
})

const hook: AgentRunHook = {
  specVersion: 1,
  id: 'town-hall-guard',
  title: 'Guard',
  timeoutMs: 1_000,
  beforeModelCall: async (call, options) => desk.hook.beforeModelCall?.(call, options),
  afterModelCall: async (answer, options) => desk.hook.afterModelCall?.(answer, options),
  beforeToolCall: async (call, options) => desk.hook.beforeToolCall?.(call, options),
  afterToolCall: async (result, options) => desk.hook.afterToolCall?.(result, options),
  mask: async (given, options) => (desk.hook.mask ? desk.hook.mask(given, options) : given.texts),
  runEnded: async (end, options) => desk.hook.runEnded?.(end, options),
}

/**
 * Everything that joins agents: two constant sections and a changing one, a hook, a part of chats
 * and a source of tools.
 */
export default definePlugin({
  manifest: {
    id: 'town-hall',
    apiVersion: 1,
    description: 'What a plugin may add to agents.',
    contributes: ['agent.prompt-section', 'agent.run-hook', 'chat.part', 'tool.source'],
  },
  setup(context) {
    context.contribute(agentPromptSections, sectionNamed('rules', { order: 300, kind: 'static', maxTokens: 200, priority: 90 }))
    context.contribute(agentPromptSections, sectionNamed('lore', { order: 200, kind: 'static', maxTokens: 2_000, priority: 10 }))
    context.contribute(agentPromptSections, sectionNamed('weather', { order: 10, kind: 'dynamic', maxTokens: 100 }))
    context.contribute(agentRunHooks, hook)
    context.contribute(chatParts, {
      specVersion: 1,
      id: 'town-hall-notes',
      title: 'Notes',
      async erase({ chatId }) {
        if (desk.part.fails) throw new Error('The notes are locked.')
        desk.part.erased.push(chatId)
        desk.notes.delete(chatId)
      },
      export: async ({ chatId }) => desk.notes.get(chatId),
      async import({ chatId }, data) {
        if (!Array.isArray(data)) throw new Error('Expected a list.')
        desk.notes.set(chatId, data)
      },
    })
    context.contribute(toolSources, {
      specVersion: 1,
      id: 'town-hall',
      title: 'Town hall',
      supports: { probe: true },
      async tools(owner) {
        desk.lists.push(owner)
        return [...desk.tools.values()]
      },
      execute: (name, _, toolContext) => desk.execute(name, toolContext),
      probe: async () => 'done',
      async *changes({ signal }) {
        for await (const [change] of on(bus, 'change', { signal })) yield change as ToolSourceChange
      },
    })
  },
})
