import type { Tool, ToolContext, ToolProgress, ToolResult } from '../../contracts/tool/tool.js'
import { defineError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { validate } from '../../core/validate.js'
import { testAccount } from '../fakes/fake-services.js'

/**
 * An input does not fit the parameters of the tool and would never reach `execute`; `problems`
 * lists each path.
 */
export const toolInputInvalidError = defineError<{ readonly tool: string; readonly summary: string }>({
  code: 'tool_input_invalid',
  status: 422,
  title: 'Input refused',
  message: ({ tool, summary }) => `The host would refuse the call of “${tool}”, since its input does not fit the parameters: ${summary}`,
})

/** A context for a call, of `testAccount`. Passed members win. */
export function createToolContext(context: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'call-1',
    runId: 'run-1',
    chatId: 'chat-1',
    agentId: 'agent-1',
    agentHandle: 'agent',
    userId: testAccount.id,
    userHandle: testAccount.handle,
    workspace: 'agent',
    depth: 0,
    timezone: testAccount.timezone,
    signal: new AbortController().signal,
    progress: (_update: ToolProgress) => Promise.resolve(),
    output: (_text: string) => Promise.resolve(),
    ...context,
  }
}

/**
 * Calls a tool as an agent does: validates the input, then runs it. @throws `tool_input_invalid`,
 * and what `execute` throws.
 */
export async function callTool(tool: Tool, input: JsonObject, context: Partial<ToolContext> = {}): Promise<ToolResult> {
  const problems = validate(tool.parameters, input)
  if (problems.length > 0) {
    const summary = problems.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw toolInputInvalidError.create({ tool: tool.name, summary }, { problems })
  }
  return tool.execute(structuredClone(input), createToolContext(context))
}
