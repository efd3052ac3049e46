import { definePlugin, Type } from '@agent-service/sdk'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { type Agents, agentsService } from '@agent-service/sdk/services/agents'

let work: (agents: Agents) => Promise<void> = async () => undefined

/** What the plugin does in its setup from now on: agents are there already, and its tool is not. */
export function setLateWork(wanted: typeof work): void {
  work = wanted
}

const lateTool: Tool = {
  specVersion: 1,
  name: 'tool_late',
  title: 'A tool that comes late',
  description: 'For a test.',
  parameters: Type.Object({}),
  effect: 'read',
  supports: { probe: false },
  execute: async () => ({ content: [{ type: 'text', text: 'done' }] }),
}

export default definePlugin({
  manifest: {
    id: 'tool-late-for-tests',
    apiVersion: 1,
    description: 'A tool that is there some time after the agents.',
    contributes: ['tool'],
    requires: ['agents'],
  },
  async setup(context) {
    await work(context.use(agentsService))
    context.contribute(tools, lateTool)
  },
})
