import type { ToolNameRule } from '@agent-service/sdk/provider-kit'

/** Tool names that the templates of all models support. */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }
