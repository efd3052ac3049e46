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
import { hasTool } from '../../points/sources/named-tools.js'
import type { Prompts } from '../../prompts/create-prompts.js'
import type { Agent } from '../../store/agents/agent.js'
import { chatCollection, type Segment } from '../../store/chats/chat.js'
import { type Message, messageCollection } from '../../store/chats/message.js'
import type { AnnouncedCall } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { ToolAccess } from '../approvals/tool-access.js'
import type { ToolPresence } from '../tools/tool-presence.js'
import { hasCutResult, readResultName } from '../tools/tool-results.js'

/**
 * All sections of the prompt together may take one in this many parts of the window without the
 * answer's reserve.
 */
const sectionShare = 3

/** The run of a model call, and the known part of its conversation. */
export interface PromptContext {
  readonly run: Run
  readonly agent: Agent
  readonly timezone: string
  /** The path through the chat. */
  readonly path: readonly Segment[]
  /** The conversation, if the driver has it; otherwise it is read from the store. */
  readonly history?: readonly ModelMessage[] | undefined
  /** The newest message, if it is not in the store yet. */
  readonly latest?: Message
  /**
   * The message that the answer goes into, if it exists already: later messages are not part of the
   * prompt.
   */
  readonly answering?: string | undefined
}

/** How a prompt is assembled. */
export interface PromptOptions {
  readonly withTools: boolean
  /**
   * False within a transaction: unless a rough estimate is far below all limits, the prompt counts
   * as overfull. Default true.
   */
  readonly count?: boolean
  /**
   * The vendor has refused this conversation as too long: half of it is left out. Default false.
   */
  readonly squeeze?: boolean
  readonly signal?: AbortSignal
}

/** A complete prompt. */
export interface PreparedPrompt extends Pick<AnnouncedCall, 'messages' | 'tools' | 'history'> {
  /**
   * Whether it takes so much of the model's window that older messages should be summarised first.
   */
  readonly overfull: boolean
}

/** Assembles prompts. */
export interface ModelPrompt {
  /**
   * Whether the prompt of an agent can be assembled at once: the shared sections are readable, its
   * tools are available or will not come, and no plugin is asked.
   */
  isReady(agent: Agent): Promise<boolean>
  prepare(place: PromptContext, options: PromptOptions): Promise<PreparedPrompt>
  /** The estimated size of the system message and the tools, in tokens. */
  fixedTokens(place: PromptContext, options: { readonly signal: AbortSignal }): Promise<number>
}

export function createModelPrompt(dependencies: {
  readonly database: Database
  readonly inference: Inference
  readonly agentTools: Pick<AgentTools, 'refresh' | 'hasSources' | 'list'>
  readonly access: Pick<ToolAccess, 'permitted'>
  readonly summaries: Pick<Summaries, 'along'>
  readonly prompts: Pick<Prompts, 'sections' | 'system'>
  /** Default: missing tools will not come. */
  readonly presence?: Pick<ToolPresence, 'isSettled'>
  /** The sections after the agent's instructions and after the conversation. Default: none. */
  readonly sections?: PromptSections
}): ModelPrompt {
  const { database, inference, agentTools, access, summaries, prompts, presence, sections } = dependencies
  const chats = database.collection(chatCollection)
  const storedMessages = database.collection(messageCollection)
  const fitter = createHistoryFitter({ inference })

  const offeredTools = async (agent: Agent, cutResults: boolean, signal: AbortSignal | undefined): Promise<readonly ModelTool[]> => {
    await agentTools.refresh(agent, signal)
    const isOffered = (name: string): boolean => hasTool(agent, name) || (cutResults && name === readResultName)
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
      { totalTokens: Math.floor((window - reserve) / sectionShare), forGuests: run.guests !== null, signal },
    )
  }

  /**
   * The system messages before and after the conversation. Sections that change with each call come
   * after it, so that the cached prefix stays valid.
   */
  const systemMessages = async (place: PromptContext, signal: AbortSignal | undefined) => {
    const { constant, changing } = await sectionTexts(place, signal)
    const content = changing.map((text) => ({ type: 'text' as const, text }))
    const system = await prompts.system(place.agent, [...constant, ...resultSection(place.run)])
    const behind: readonly ModelMessage[] = content.length === 0 ? [] : [{ role: 'system', content }]
    return { system, behind, counted: { ...system, content: [...system.content, ...content] } as ModelMessage }
  }

  return {
    isReady: async (agent) =>
      // Slow work must not happen in a transaction.
      sections?.hasForeign(agent) !== true &&
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

  /** `cut`: older messages without a summary were left out, because they exceed any prompt. */
  async function read(place: PromptContext): Promise<{ readonly conversation: readonly ModelMessage[]; readonly cut: boolean }> {
    const { run, path, timezone, latest, answering } = place
    const summary = await summaries.along(run.chat_id, path)
    const answered = answering === undefined ? undefined : await storedMessages.get(answering)
    const { messages, cut } = await loadHistory(
      database,
      {
        path,
        timezone,
        workspace: place.agent.workspace,
        ...(summary ? { from: summary.until } : {}),
        ...(answered ? { to: answered.sequence } : {}),
        ...(latest ? { latest } : {}),
      },
      // Twice the size of a prompt without a summary: whatever the token count turns out to be, the
      // rest of the conversation exceeds it.
      2 * compactionThreshold(contextWindow(inference, run.model_group)),
    )
    return { conversation: summary ? withSummary(summary, messages) : messages, cut }
  }
}

/**
 * States the form of the run's final answer. It comes after all sections, because it belongs to one
 * run alone.
 */
function resultSection({ terms }: Pick<Run, 'terms'>): readonly string[] {
  const wanted = terms?.result
  if (!wanted) return []
  return [
    `Your final answer is read by a program. It must be one JSON value that fits the following JSON Schema (“${wanted.name}”), with no words before or after it and no code fence:\n\n${JSON.stringify(wanted.schema)}`,
  ]
}
