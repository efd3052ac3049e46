import type { ToolNameRule } from '@agent-service/sdk/provider-kit'

/** Tool names that every provider behind the router accepts. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
