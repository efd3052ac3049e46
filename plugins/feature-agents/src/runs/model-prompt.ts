import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { tools as toolPoint } from '@agent-service/sdk/contracts/tool'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { Agent } from '../agents/agent.js'
import type { Message } from '../messages/message.js'
import type { AnnouncedCall } from './fresh-run.js'
import { estimateTokens, keepWithin, loadHistory } from './history.js'
import { systemMessage } from './prompt.js'
import type { Run } from './run.js'

/** Whose call it is, and what is known of the conversation. */
export interface PromptPlace {
  readonly run: Run
  readonly agent: Agent
  /** The conversation, where the driver has it; else it is read from the store. */
  readonly history?: readonly ModelMessage[] | undefined
  /** The newest message, where it is not in the store yet. */
  readonly latest?: Message
}

/** Puts together what a model is asked. */
export interface ModelPrompt {
  /** Whether what all prompts share can be read. */
  isReady(): Promise<boolean>
  prepare(place: PromptPlace, options: { readonly withTools: boolean }): Promise<Pick<AnnouncedCall, 'messages' | 'tools' | 'history'>>
}

export function createModelPrompt(dependencies: {
  readonly database: Database
  readonly inference: Inference
  readonly contributions: Contributions
  /** The text that all agents share. */
  readonly sharedPrompt: () => Promise<string>
}): ModelPrompt {
  const { database, inference, contributions, sharedPrompt } = dependencies

  const offeredTools = (agent: Agent): readonly ModelTool[] =>
    contributions
      .list(toolPoint)
      .filter((tool) => agent.tools.includes(tool.key))
      .map(({ value }) => ({ name: value.name, description: value.description, parameters: value.parameters as unknown as JsonObject }))

  /** What the history of a chat may take of the model's window, in tokens. */
  const historyBudget = (run: Run, system: ModelMessage, tools: readonly ModelTool[]): number => {
    const groups = inference.groups()
    const group = groups.find((candidate) => candidate.name === run.model_group) ?? groups.find((candidate) => candidate.name === 'primary')
    const window = group?.context_window ?? 128_000
    const reserve = Math.min(group?.max_tokens ?? inference.limits.default_max_tokens, Math.floor(window / 2))
    const rest = window - reserve - estimateTokens(system.content) - Math.ceil(JSON.stringify(tools).length / 4)
    return Math.max(0, Math.floor((rest * inference.limits.history_truncation_pct) / 100))
  }

  return {
    isReady: () =>
      sharedPrompt().then(
        () => true,
        () => false,
      ),

    async prepare({ run, agent, history, latest }, { withTools }) {
      const tools = withTools ? offeredTools(agent) : []
      const system = systemMessage(await sharedPrompt(), agent)
      const budget = historyBudget(run, system, tools)
      const kept = keepWithin(history ?? (await loadHistory(database, run.chat_id, budget, latest)), budget)
      return { messages: [system, ...kept], tools, history: kept }
    },
  }
}
