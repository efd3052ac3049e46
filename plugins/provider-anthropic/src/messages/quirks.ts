import type { JsonObject } from '@agent-service/sdk'
import { isObject, textAt } from '@agent-service/sdk/provider-kit'

/**
 * How a brand differs from the plain messages protocol. Data of the catalogue, read leniently: what
 * is absent or of another type means the plain protocol.
 */
export interface MessagesQuirks {
  /**
   * Where the key goes: `x-api-key` by default, or `Authorization: Bearer`; `none`: no key is sent.
   */
  readonly auth: 'x-api-key' | 'bearer' | 'none'
  /** In addition to those of the protocol; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** False: no `cache_control` is sent. */
  readonly promptCaching: boolean
  /** True: thinking has no signature here, and goes back without one. */
  readonly unsignedThinking: boolean
  /** `tool`: a schema for the answer becomes a tool that must be called. */
  readonly structuredOutput: 'format' | 'tool'
  /** Models, as a regular expression, for which `structuredOutput` is `tool`. */
  readonly structuredOutputToolModels: RegExp | undefined
}

/** Reads the quirks of a connection. */
export function readQuirks(quirks: JsonObject): MessagesQuirks {
  const auth = textAt(quirks, 'auth')
  const pattern = textAt(quirks, 'structured_output_tool_models')
  return {
    auth: auth === 'bearer' || auth === 'none' ? auth : 'x-api-key',
    headers: textsOf(quirks['headers']),
    promptCaching: quirks['prompt_caching'] !== false,
    unsignedThinking: quirks['unsigned_thinking'] === true,
    structuredOutput: quirks['structured_output'] === 'tool' ? 'tool' : 'format',
    structuredOutputToolModels: pattern === undefined ? undefined : new RegExp(pattern, 'u'),
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([name, text]) => [name.toLowerCase(), text]),
  )
}
