import type { JsonObject } from '@agent-service/sdk'
import { isObject, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/**
 * How a brand is reached, for both protocols. Data of the catalogue, read leniently: what is absent
 * or of another type means the default.
 */
export interface ConnectionQuirks {
  /** `api-key`: the key goes into a header of that name; `none`: no key is sent. */
  readonly auth: 'bearer' | 'api-key' | 'none'
  /** Parameters of every address. */
  readonly query: Readonly<Record<string, string>>
  /** Headers of every call. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * A service whose addresses, tokens or headers need more than data: Azure OpenAI, GitHub Copilot.
   */
  readonly service: 'azure' | 'github-copilot' | undefined
  /** Where a GitHub token is exchanged, if that does not follow from the address. */
  readonly tokenUrl: string | undefined
  /** True: a field that the endpoint reports as unknown is left out, and the call sent again. */
  readonly dropsUnknownFields: boolean
}

/** Reads the quirks that both protocols share. */
export function readConnectionQuirks(quirks: JsonObject): ConnectionQuirks {
  const auth = textAt(quirks, 'auth')
  const service = textAt(quirks, 'service')
  return {
    auth: auth === 'api-key' || auth === 'none' ? auth : 'bearer',
    query: textsOf(objectAt(quirks, 'query')),
    headers: textsOf(objectAt(quirks, 'headers')),
    service: service === 'azure' || service === 'github-copilot' ? service : undefined,
    tokenUrl: textAt(quirks, 'token_url'),
    dropsUnknownFields: quirks['drop_unknown_fields'] === true,
  }
}

/** A quirk that names models by a regular expression; absent if it is invalid. */
export function patternAt(quirks: JsonObject, name: string): RegExp | undefined {
  const pattern = textAt(quirks, name)
  return pattern === undefined ? undefined : new RegExp(pattern, 'u')
}

function textsOf(value: JsonObject | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
