import { visibleLine } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { callHash } from '../../common/call-hash.js'
import type { ToolTextContext, ToolTexts } from '../../points/hooks/tool-texts.js'
import { type ApprovalScope, everyCallLabel, everyCallScope, thisCallScope } from '../../store/runs/approval-grant.js'

const exactlyThisCall = 'Exactly this call'

/** The kinds of calls that a call belongs to. */
export interface CallScopes {
  /**
   * What a person who approves the call can allow from now on, the narrowest first: this very call,
   * unless the tool says that its arguments do not tell what it does; then the kinds that the tool
   * names, or every call of a tool that names none. Kinds whose words hold a secret are not among
   * them. Empty: nothing can be allowed for later.
   */
  of(tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]>
}

export function createCallScopes({ words }: { readonly words: Pick<ToolTexts, 'isFree'> }): CallScopes {
  const exact = async (tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]> => {
    const said = tool.exactly === undefined ? exactlyThisCall : tool.exactly(call.arguments)
    if (said === false) return []
    const label = (await words.isFree(call, place, [said], signal)) ? visibleLine(said) : exactlyThisCall
    return [{ key: thisCallScope(callHash(call.name, call.arguments)), label }]
  }

  const kinds = async (tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]> => {
    if (tool.scopes === undefined) return [{ key: everyCallScope, label: everyCallLabel }]
    const named = tool.scopes(call.arguments)
    const texts = named.flatMap(({ key, label }) => [key, label])
    if (!(await words.isFree(call, place, texts, signal))) return []
    return named.map(({ key, label }) => ({ key: `of:${key}`, label: visibleLine(label) }))
  }

  return {
    of: async (...about) => [...(await exact(...about)), ...(await kinds(...about))],
  }
}
