import type { JsonObject } from '@agent-service/sdk'
import type { ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool } from '@agent-service/sdk/contracts/tool'

const modelTools = new WeakMap<Tool, ModelTool>()
const texts = new WeakMap<ModelTool, string>()

/**
 * A tool as models are offered it: one object for each tool, so that values derived from it are
 * computed once and not with every call.
 */
export function modelToolOf(tool: Tool): ModelTool {
  const known = modelTools.get(tool)
  if (known) return known
  const { name, description, parameters } = tool
  const made: ModelTool = Object.freeze({ name, description, parameters: parameters as unknown as JsonObject })
  modelTools.set(tool, made)
  return made
}

/** A tool as a model reads it, as JSON. */
export function textOfModelTool(tool: ModelTool): string {
  const known = texts.get(tool)
  if (known !== undefined) return known
  const text = JSON.stringify(tool)
  texts.set(tool, text)
  return text
}
