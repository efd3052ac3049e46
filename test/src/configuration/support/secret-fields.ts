import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { allFields, type SpecifiedField } from './specification.js'

/** A secret field of the configuration, and a value that nothing but that field has. */
export interface SecretField {
  readonly path: readonly string[]
  readonly canary: string
}

/** Every field that holds a secret, each with a canary of its own. */
export const secretFields: readonly SecretField[] = allFields
  .filter((field) => field.secret)
  .map(({ section, field }: SpecifiedField) => ({
    path: [section, ...field.replace('<handle>', 'work').split('.')],
    canary: `canary-${section}-${field.replace(/[^a-z]/g, '')}-4711`,
  }))

/** What a secret is where it stands: a text that holds its canary. */
export const secretText = ({ path, canary }: SecretField): string =>
  path.join('.') === 'database.url' ? `postgres://service:${canary}@database.example/service` : canary

/** A file with every secret, and what must stand beside them; `choose` says what stands at each. */
export function fileWithSecrets(choose: (field: SecretField) => JsonValue = secretText, more: JsonObject = {}): JsonObject {
  const file: Record<string, Record<string, JsonValue>> = {
    sso: { enabled: true, authority: 'https://login.example', client_id: 'agent-service' },
    browser: { ws_url: 'ws://browser.example' },
    voice: { provider: 'telephony' },
    providers: { work: { provider: 'groq' } },
    models: { primary: { provider: 'work', model: 'm' } },
    mail: { host: 'mail.example', from: 'agents@mail.example', user: 'agents' },
  }
  for (const field of secretFields) {
    const [section = '', ...rest] = field.path
    const holder = file[section] ?? {}
    file[section] = holder
    if (rest.length === 1) holder[rest[0] ?? ''] = choose(field)
    else holder[rest[0] ?? ''] = { ...(holder[rest[0] ?? ''] as JsonObject), [rest[1] ?? '']: choose(field) }
  }
  for (const [section, members] of Object.entries(more)) file[section] = { ...file[section], ...(members as JsonObject) }
  return file
}

/** The canaries that stand in a text, in any of the spellings that secrets take. */
export const canariesIn = (text: string): readonly string[] =>
  secretFields
    .map(({ canary }) => canary)
    .filter((canary) =>
      [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')].some((spelling) => text.includes(spelling)),
    )
