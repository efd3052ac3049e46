import type { ToolNameRule } from '@agent-service/sdk/provider-kit'

/**
 * Letters, digits and underscores, no digit first: what Cohere's documentation of tools asks for.
 */
export const toolNameRule: ToolNameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 64, start: /^[A-Za-z_]/ }
