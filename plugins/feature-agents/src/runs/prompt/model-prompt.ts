import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import { compactionThreshold, contextWindow } from '../../context/budget.js'
import { createHistoryFitter, estimateFixed } from '../../context/fit-history.js'
import { loadHistory } from '../../context/history.js'
import { modelToolOf } from '../../context/model-tool.js'
import { type Summaries, withSummary } from '../../context/summaries.js'
import type { PromptSections, SectionTexts } from '../../points/sections/prompt-sections.js'
import type { AgentTools } from '../../points/sources/agent-tools.js'
import { agentNames } from '../../points/sources/named-tools.js'
import type { Prompts } from '../../prompts/create-prompts.js'
import type { Agent } from '../../store/agents/agent.js'
import { chatCollection, type Segment } from '../../store/chats/chat.js'
import { type Message, messageCollection } from '../../store/chats/message.js'
import type { AnnouncedCall } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { ToolAccess } from '../approvals/tool-access.js'
import type { ToolPresence } from '../tools/tool-presence.js'
import { hasCutResult, readResultName } from '../tools/tool-results.js'

/** The part of what an answer leaves of a model's window that all sections of the prompt may take together: one in so many. */
const sectionShare = 3

/** Whose call it is, and what is known of the conversation. */
export interface PromptContext {
  readonly run: Run
  readonly agent: Agent
  readonly timezone: string
  /** The way through the chat. */
  readonly path: readonly Segment[]
  /** The conversation, where the driver has it; else it is read from the store. */
  readonly history?: readonly ModelMessage[] | undefined
  /** The newest message, where it is not in the store yet. */
  readonly latest?: Message
  /** The message that the answer goes into, where it is there already: what was written behind it is not part of the question. */
  readonly answering?: string | undefined
}

/** How a prompt is put together. */
export interface PromptOptions {
  readonly withTools: boolean
  /** False within a transaction: where a rough estimate is not far below all limits, the prompt counts as overfull. Default true. */
  readonly count?: boolean
  /** The vendor has refused this conversation as too long: half of it is left out. Default false. */
  readonly squeeze?: boolean
  readonly signal?: AbortSignal
}

/** What a model is to be asked. */
export interface PreparedPrompt extends Pick<AnnouncedCall, 'messages' | 'tools' | 'history'> {
  /** Whether it takes so much of the model's window that older messages should be summarised first. */
  readonly overfull: boolean
}

/** Puts together what a model is asked. */
export interface ModelPrompt {
  /** Whether the prompt of an agent can be made at once: what all prompts share can be read, its tools are there or will not come, and no plugin is asked. */
  isReady(agent: Agent): Promise<boolean>
  prepare(place: PromptContext, options: PromptOptions): Promise<PreparedPrompt>
  /** What the system message and the tools take, in tokens, estimated. */
  fixedTokens(place: PromptContext, options: { readonly signal: AbortSignal }): Promise<number>
}

export function createModelPrompt(dependencies: {
  readonly database: Database
  readonly inference: Inference
  readonly agentTools: Pick<AgentTools, 'refresh' | 'hasSources' | 'list'>
  readonly access: Pick<ToolAccess, 'permitted'>
  readonly summaries: Pick<Summaries, 'along'>
  readonly prompts: Pick<Prompts, 'sections' | 'system'>
  /** Default: what is not there will not come. */
  readonly presence?: Pick<ToolPresence, 'isSettled'>
  /** What stands behind the agent's instructions and behind the conversation. Default: nothing. */
  readonly sections?: PromptSections
}): ModelPrompt {
  const { database, inference, agentTools, access, summaries, prompts, presence, sections } = dependencies
  const chats = database.collection(chatCollection)
  const storedMessages = database.collection(messageCollection)
  const fitter = createHistoryFitter({ inference })

  const offeredTools = async (agent: Agent, cutResults: boolean, signal: AbortSignal | undefined): Promise<readonly ModelTool[]> => {
    await agentTools.refresh(agent, signal)
    const isOffered = (name: string): boolean => agentNames(agent.tools, name) || (cutResults && name === readResultName)
    const there = agentTools.list(agent).filter(({ key }) => isOffered(key))
    const names = there.map(({ key }) => key)
    const permitted = new Set(names.length === 0 ? [] : await access.permitted(agent, names, signal ? { signal } : {}))
    return there.filter(({ key }) => permitted.has(key)).map(({ value }) => modelToolOf(value))
  }

  const sectionTexts = async ({ run, agent, timezone }: PromptContext, signal: AbortSignal | undefined): Promise<SectionTexts> => {
    if (!sections) return { constant: [], changing: [] }
    const chat = await chats.get(run.chat_id)
    const { id, handle, name, skills, memory } = agent
    const who = { userId: run.user_id, agent: { id, handle, name, skills, memory } }
    const { window, reserve } = contextWindow(inference, run.model_group)
    return sections.texts(
      { ...who, chatId: run.chat_id, spaceId: chat?.space_id ?? null, runId: run.id, timezone },
      { totalTokens: Math.floor((window - reserve) / sectionShare), signal },
    )
  }

  /** What is said before the conversation, and what behind it: there, what changes with each call leaves what was cached as it is. */
  const systemMessages = async (place: PromptContext, signal: AbortSignal | undefined) => {
    const { constant, changing } = await sectionTexts(place, signal)
    const content = changing.map((text) => ({ type: 'text' as const, text }))
    const system = await prompts.system(place.agent, [...constant, ...resultSection(place.run)])
    const behind: readonly ModelMessage[] = content.length === 0 ? [] : [{ role: 'system', content }]
    return { system, behind, counted: { ...system, content: [...system.content, ...content] } as ModelMessage }
  }

  return {
    isReady: async (agent) =>
      // What takes time has no place in a transaction.
      sections?.hasForeign() !== true &&
      !agentTools.hasSources(agent) &&
      (presence?.isSettled(agent.tools) ?? true) &&
      prompts.sections().then(
        () => true,
        () => false,
      ),

    async prepare(place, { withTools, count = true, squeeze = false, signal }) {
      const { run, agent, history } = place
      const { conversation, cut } = history ? { conversation: history, cut: false } : await read(place)
      const tools = withTools ? await offeredTools(agent, hasCutResult(conversation), signal) : []
      const { system, behind, counted } = await systemMessages(place, signal)
      const prompt = { group: run.model_group, system: counted, tools, conversation, cut }
      const { kept, overfull } = await fitter.fit(prompt, { count, squeeze, signal })
      return { messages: [system, ...kept, ...behind], tools, history: conversation, overfull }
    },

    fixedTokens: async (place, { signal }) =>
      estimateFixed((await systemMessages(place, signal)).counted, await offeredTools(place.agent, true, signal)),
  }

  /** `cut`: older messages that no summary covers were left out, because there are more than any prompt could take. */
  async function read(place: PromptContext): Promise<{ readonly conversation: readonly ModelMessage[]; readonly cut: boolean }> {
    const { run, path, timezone, latest, answering } = place
    const summary = await summaries.along(run.chat_id, path)
    const answered = answering === undefined ? undefined : await storedMessages.get(answering)
    const { messages, cut } = await loadHistory(
      database,
      {
        path,
        timezone,
        ...(summary ? { from: summary.until } : {}),
        ...(answered ? { to: answered.sequence } : {}),
        ...(latest ? { latest } : {}),
      },
      // Twice what may be in a prompt without a summary: whatever the tokens turn out to be, the conversation that is left is above it.
      2 * compactionThreshold(contextWindow(inference, run.model_group)),
    )
    return { conversation: summary ? withSummary(summary, messages) : messages, cut }
  }
}

/** Says which form the final answer of a run must have. It stands behind all sections: it is of one run alone. */
function resultSection({ terms }: Pick<Run, 'terms'>): readonly string[] {
  const wanted = terms?.result
  if (!wanted) return []
  return [
    `Your final answer is read by a program. It must be one JSON value that fits the following JSON Schema (“${wanted.name}”), with no words before or behind it and no code fence:\n\n${JSON.stringify(wanted.schema)}`,
  ]
}
