import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ToolContent } from '@agent-service/sdk/contracts/tool'

/**
 * All texts of a result, in order: those of its text parts, and every string and member name in its
 * JSON parts, at any depth.
 */
export function textsOf(content: readonly ToolContent[]): readonly string[] {
  const texts: string[] = []
  replaceTexts(content, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** The same result with other texts, given in the order of {@link textsOf}. */
export function withTexts(content: readonly ToolContent[], texts: readonly string[]): readonly ToolContent[] {
  let next = 0
  return replaceTexts(content, (text) => {
    const replaced = texts[next] ?? text
    next += 1
    return replaced
  })
}

const replaceTexts = (content: readonly ToolContent[], replace: (text: string) => string): readonly ToolContent[] =>
  content.map((part) => {
    if (part.type === 'text') return { ...part, text: replace(part.text) }
    if (part.type === 'json') return { ...part, json: inJson(part.json, replace) as JsonObject }
    return part
  })

function inJson(value: JsonValue, replace: (text: string) => string): JsonValue {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => inJson(item, replace))
  const members = new Map<string, JsonValue>()
  for (const [name, member] of Object.entries(value as JsonObject)) {
    // Two member names that become equal by masking stay two members.
    let masked = replace(name)
    while (members.has(masked)) masked = `${masked}_`
    members.set(masked, inJson(member, replace))
  }
  return Object.fromEntries(members)
}
