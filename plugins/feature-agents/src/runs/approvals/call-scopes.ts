import { visibleLine } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { callHash } from '../../common/call-hash.js'
import type { ToolTextContext, ToolTexts } from '../../points/hooks/tool-texts.js'
import { type ApprovalScope, everyCallLabel, everyCallScope, thisCallScope } from '../../store/runs/approval-grant.js'

/** The kinds of calls that a call belongs to. */
export interface CallScopes {
  /**
   * What a person who approves the call can allow from now on, the narrowest first: this very call;
   * then the kinds that the tool names, or every call of a tool that names none. Kinds whose words
   * hold a secret are not among them.
   */
  of(tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]>
}

export function createCallScopes({ words }: { readonly words: Pick<ToolTexts, 'isFree'> }): CallScopes {
  return {
    async of(tool, call, place, signal) {
      const same = { key: thisCallScope(callHash(call.name, call.arguments)), label: 'Exactly this call' }
      if (tool.scopes === undefined) return [same, { key: everyCallScope, label: everyCallLabel }]
      const kinds = tool.scopes(call.arguments)
      const texts = kinds.flatMap(({ key, label }) => [key, label])
      if (!(await words.isFree(call, place, texts, signal))) return [same]
      return [same, ...kinds.map(({ key, label }) => ({ key: `of:${key}`, label: visibleLine(label) }))]
    },
  }
}
