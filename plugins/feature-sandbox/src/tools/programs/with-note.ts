import type { ToolResult } from '@agent-service/sdk/contracts/tool'

/** A result with a sentence before it. */
export const withNote = (result: ToolResult, note: string | undefined): ToolResult =>
  note === undefined ? result : { ...result, content: [{ type: 'text', text: note }, ...result.content] }
