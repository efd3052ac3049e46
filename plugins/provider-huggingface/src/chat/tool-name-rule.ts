import type { ToolNameRule } from '@agent-service/sdk/provider-kit'

/** What every provider behind the router takes. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
