import { type Logger, visibleLine } from '@agent-service/sdk'
import type { MaskedTextsKind } from '@agent-service/sdk/contracts/agent-run-hook'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool, ToolQuestion } from '@agent-service/sdk/contracts/tool'
import { createCallMask, maskText } from './call-mask.js'
import type { RunHooks } from './run-hooks.js'
import { untoldArguments } from './untold-arguments.js'

/** Identifies the call that a text is about. */
export interface ToolTextContext {
  readonly run: { readonly id: string; readonly chat_id: string; readonly user_id: string }
  readonly agent: { readonly id: string }
}

/** The texts of a tool about its calls before they run, masked. */
export interface ToolTexts {
  /**
   * A sentence for people that describes a call. It is the tool's title if the tool has none or
   * its text is withheld, and if the tool fails: the host reports that, and gives its title.
   */
  purpose(tool: Tool, call: ToolCallPart, place: ToolTextContext, signal?: AbortSignal): Promise<string>
  /**
   * The purpose, and the arguments that are not in it word for word: one line that tells the whole
   * call to a person who sees nothing else of it. Not of arguments that are withheld.
   */
  wholeCall(tool: Tool, purpose: string, call: ToolCallPart, place: ToolTextContext, signal?: AbortSignal): Promise<string>
  /** Whether these texts about a call hold nothing that is masked: such are shown and stored as they are. */
  isFree(call: ToolCallPart, place: ToolTextContext, texts: readonly string[], signal?: AbortSignal): Promise<boolean>
  /** The question of a tool to the person before a call, or why the call cannot run. */
  question(
    tool: Tool,
    call: ToolCallPart,
    place: ToolTextContext,
    signal?: AbortSignal,
  ): Promise<{ readonly question: ToolQuestion | undefined } | { readonly refused: string }>
}

export function createToolTexts(dependencies: { readonly log: Logger; readonly hooks?: Pick<RunHooks, 'has' | 'mask'> }): ToolTexts {
  const { log, hooks = noHooks } = dependencies
  const masked = (
    call: ToolCallPart,
    place: ToolTextContext,
    kind: MaskedTextsKind,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ) => maskText(hooks, maskedCallOf(call, place), kind, texts, signal)
  const safe = (error: unknown, call: ToolCallPart, place: ToolTextContext) => createCallMask(hooks, maskedCallOf(call, place)).error(error)

  return {
    async purpose(tool, call, place, signal) {
      const purpose = tool.purpose?.(call.arguments)
      if (purpose === undefined) return tool.title
      const shown = await masked(call, place, 'purpose', [purpose], signal)
      return 'withheld' in shown ? tool.title : (shown[0] ?? tool.title)
    },

    async wholeCall(tool, purpose, call, place, signal) {
      const untold = untoldArguments(purpose, call.arguments, (sent) => tool.purpose?.(sent) ?? tool.title)
      if (untold.length === 0) return purpose
      const text = untold.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')
      const shown = await masked(call, place, 'purpose', [text], signal)
      return `${purpose} (${'withheld' in shown ? `arguments ${shown.withheld}` : visibleLine(shown[0] ?? '')})`
    },

    async isFree(call, place, texts, signal) {
      const shown = await masked(call, place, 'purpose', texts, signal)
      return !('withheld' in shown) && texts.every((text, index) => shown[index] === text)
    },

    async question(tool, call, place, signal) {
      try {
        const question = tool.asks?.(call.arguments)
        if (question === undefined) return { question }
        const shown = await masked(call, place, 'question', [question.question, ...(question.options ?? [])], signal)
        if ('withheld' in shown) return { refused: `Not run: the tool's question to the person is ${shown.withheld}.` }
        const [text = '', ...options] = shown
        return { question: { question: text, ...(question.options && { options }) } }
      } catch (error) {
        signal?.throwIfAborted()
        const fields = { tool: tool.name, call_id: call.call_id, error: await safe(error, call, place) }
        log.error('A tool failed to state its question.', fields)
        return { refused: 'The tool failed. The cause is in the service log.' }
      }
    },
  }
}

const maskedCallOf = ({ call_id, name }: ToolCallPart, { run, agent }: ToolTextContext) => ({
  ...{ userId: run.user_id, agentId: agent.id, chatId: run.chat_id, runId: run.id },
  ...{ callId: call_id, tool: name },
})

const noHooks: Pick<RunHooks, 'has' | 'mask'> = { has: () => false, mask: async ({ texts }) => texts }
