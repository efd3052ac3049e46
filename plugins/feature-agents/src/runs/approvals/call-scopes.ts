import { type Logger, visibleLine } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool, ToolScope } from '@agent-service/sdk/contracts/tool'
import { callHash } from '../../common/call-hash.js'
import type { ToolTextContext, ToolTexts } from '../../points/hooks/tool-texts.js'
import { type ApprovalScope, everyCallLabel, everyCallScope } from '../../store/runs/approval-grant.js'

/** Limits of the scopes of one call; keys and labels in UTF-16 code units. */
const maxScopes = 10
const maxKeyLength = 500
const maxLabelLength = 200

/** The kinds of calls that a call belongs to. */
export interface CallScopes {
  /**
   * What a person who approves the call can allow from now on, the narrowest first: this very call;
   * then the kinds that the tool names, or every call of a tool that names none. Kinds that are not
   * well-formed, or whose words hold a secret, are not among them.
   */
  of(tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]>
}

export function createCallScopes({ log, words }: { readonly log: Logger; readonly words: Pick<ToolTexts, 'isFree'> }): CallScopes {
  const named = async (tool: Tool, call: ToolCallPart, place: ToolTextContext, signal: AbortSignal): Promise<readonly ApprovalScope[]> => {
    const scopes = namedBy(tool, call, log)
    const texts = scopes.flatMap(({ key, label }) => [key, label])
    if (!(await words.isFree(call, place, texts, signal))) return []
    return scopes.map(({ key, label }) => ({ key: `of:${key}`, label: visibleLine(label) }))
  }
  return {
    async of(tool, call, place, signal) {
      const same = { key: `call:${callHash(call.name, call.arguments)}`, label: 'Exactly this call' }
      if (tool.scopes === undefined) return [same, { key: everyCallScope, label: everyCallLabel }]
      return [same, ...(await named(tool, call, place, signal))]
    },
  }
}

/** What the tool names for the call; nothing if it fails. Its words may hold secrets, and are not logged. */
function namedBy(tool: Tool, call: ToolCallPart, log: Logger): readonly ToolScope[] {
  let scopes: unknown
  try {
    scopes = tool.scopes?.(call.arguments)
  } catch (error) {
    log.warn('A tool failed to name the kinds of a call: a person can allow this very call alone.', {
      tool: tool.name,
      error: nameOf(error),
    })
    return []
  }
  if (isScopes(scopes)) return scopes
  log.warn('A tool named kinds of a call that are not well-formed: a person can allow this very call alone.', { tool: tool.name })
  return []
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

const isScopes = (value: unknown): value is readonly ToolScope[] =>
  Array.isArray(value) && value.length <= maxScopes && value.every(isScope) && new Set(value.map(({ key }) => key)).size === value.length

const isScope = (value: unknown): value is ToolScope =>
  typeof value === 'object' &&
  value !== null &&
  isText((value as Partial<ToolScope>).key, maxKeyLength) &&
  isText((value as Partial<ToolScope>).label, maxLabelLength)

const isText = (value: unknown, maxLength: number): boolean => typeof value === 'string' && value.trim() !== '' && value.length <= maxLength
