import { wellFormedValue } from '@agent-service/sdk'
import type { ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { rootSchema } from './root-schema.js'

const known = new WeakMap<ModelTool, ModelTool>()

/**
 * A tool whose texts are well-formed and whose schema vendors take, whatever its author has written:
 * one tool that a vendor refuses would make every message fail. A schema that is enforced stays as
 * it is. The same tool if nothing has to change; computed once for each.
 */
export function sendableTool(tool: ModelTool): ModelTool {
  const found = known.get(tool)
  if (found) return found
  const parameters = tool.strict === true ? tool.parameters : rootSchema(tool.parameters)
  const made = wellFormedValue(parameters === tool.parameters ? tool : { ...tool, parameters })
  known.set(tool, made)
  return made
}
