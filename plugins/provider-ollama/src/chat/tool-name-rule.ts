import type { ToolNameRule } from '@agent-service/sdk/provider-kit'

/** What the templates of all models can carry. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
