import type { JsonObject } from '@agent-service/sdk'
import { isObject, textAt } from '@agent-service/sdk/provider-kit'

/**
 * How a brand differs from the plain generate-content protocol. Data of the catalogue, read
 * leniently: what is absent or of another type means the plain protocol.
 */
export interface GenerateContentQuirks {
  /**
   * Where the key goes: `x-goog-api-key` by default, or `Authorization: Bearer`; `none`: no key is
   * sent.
   */
  readonly auth: 'x-goog-api-key' | 'bearer' | 'none'
  /** In addition to those of the protocol. */
  readonly headers: Readonly<Record<string, string>>
  /** `openapi`: the endpoint supports only the OpenAPI subset, not JSON Schema. */
  readonly schemas: 'json' | 'openapi'
  /**
   * Models, as a regular expression, that check signatures of thoughts and take images in results.
   */
  readonly signingModels: RegExp
}

/** All but the first two generations; a name without a generation means the latest. */
const signingByDefault = '^(?!.*(gemini-[12]([.-]|$)|gemma|learnlm|bison|gecko))'

/** Reads the quirks of a connection. */
export function readQuirks(quirks: JsonObject): GenerateContentQuirks {
  const auth = textAt(quirks, 'auth')
  return {
    auth: auth === 'bearer' || auth === 'none' ? auth : 'x-goog-api-key',
    headers: textsOf(quirks['headers']),
    schemas: quirks['schemas'] === 'openapi' ? 'openapi' : 'json',
    signingModels: new RegExp(textAt(quirks, 'signing_models') ?? signingByDefault, 'iu'),
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
