import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

const refused = /[^A-Za-z0-9_-]/g

/** Names of tools as the protocol takes them: up to 64 letters, digits, underscores, hyphens. */
export const createWireNames = (names: Iterable<string>): ToolNames => createToolNames(names, { refused, maxLength: 64 })

const ids = createToolNames([], { refused, maxLength: 64 })

/**
 * The wire id of a call. An id of another vendor that the protocol would refuse is converted, the
 * same in call and result.
 */
export const wireCallId = (part: { readonly call_id: string; readonly provider_call_id?: string }): string =>
  ids.wire(part.provider_call_id ?? part.call_id)
