import type { Tool, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import { createToolContext } from '../plugin-test/call-tool.js'
import type { ToolExample, ToolSuiteOptions } from './suite-options.js'

/** Calls a tool with this very input, in the context of the suite. */
export function callTool(
  { context }: Pick<ToolSuiteOptions, 'context'>,
  tool: Tool,
  { input }: Pick<ToolExample, 'input'>,
  call: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return tool.execute(input, createToolContext({ signal: new AbortController().signal, ...context, ...call }))
}
