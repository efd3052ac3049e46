import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { choicesOf, type Schema, typeOf } from './schema-fields.js'

/**
 * Values where the schema alone cannot say one that holds together with the rest. By dotted path.
 */
const accepted: Readonly<Record<string, JsonValue>> = {
  'server.cors_origins': 'https://a.example, http://b.example:8080',
  'plugins.sources': ['/opt/agent-service/tool-dice'],
  'plugins.required': ['another'],
  'plugins.settings': { 'tool-dice': { sides: 20 } },
  'voice.telephony_from_number': '+12025550123',
  'mail.from': 'Agent Service <agents@example.org>',
  'browser.ws_url': 'wss://browser.example/chrome',
  'providers.<handle>.provider': 'groq',
  'providers.<handle>.adapter': 'adapter_alpha',
  'providers.<handle>.credential_id': '01890a5d-ac96-774b-bcce-b302099a8057',
  'models.<group>.provider': 'anthropic',
  'models.<group>.api': 'completions',
  'models.<group>.extra_params': { user: '${LITERAL}' },
  'models.<group>.fallbacks': [{ provider: 'openai', model: 'm', extra_params: {}, fallbacks: [] }],
  'thinking.budget_tokens': 2048,
}

const textByFormat: Readonly<Record<string, string>> = {
  'http-url': 'https://service.example/base',
  'origin-list': 'https://a.example',
  'network-list': '10.0.0.0/8, ::1',
  host: '127.0.0.2',
  'time-zone': 'Europe/Vienna',
}

/** Beside what the schema refuses: what the rules refuse. By dotted path. */
const refused: Readonly<Record<string, readonly JsonValue[]>> = {
  'server.cors_origins': ['*', 'https://a.example/path'],
  'server.base_url': ['ftp://a.example', 'https://user:word@a.example', 'https://a.example?q'],
  'plugins.sources': ['text', ['../relative']],
  'models.<group>.provider': ['nobody'],
  'models.<group>.api': ['no-such-protocol'],
}

/** A value that is accepted and is not the default. */
export function acceptedValue(path: string, node: Schema): JsonValue {
  const given = accepted[path]
  if (given !== undefined) return given
  const choices = choicesOf(node)
  if (choices) return String(choices.at(-1))
  switch (typeOf(node)) {
    case 'integer':
      return Math.min(Number(node.default ?? node.minimum ?? 1) + 1, node.maximum ?? Number.POSITIVE_INFINITY)
    case 'float':
      return ((node.minimum ?? node.exclusiveMinimum ?? 0) + (node.maximum ?? 3)) / 2
    case 'boolean':
      return node.default !== true
    case 'list of strings':
      return ['one']
    case 'object':
      return {}
    default:
      return node['x-path'] ? '/srv/agent-service' : (textByFormat[node.format ?? ''] ?? 'some-text')
  }
}

/** Values that are refused: each of another kind, each alone. Never empty. */
export function refusedValues(path: string, node: Schema): readonly JsonValue[] {
  const more = refused[path] ?? []
  if (choicesOf(node)) return [...more, 'no-such-choice', 12]
  switch (typeOf(node)) {
    case 'integer':
      return [...more, ...beyond(node, 1), 1.5, 'many']
    case 'float':
      return [...more, ...beyond(node, 0.5), 'much']
    case 'boolean':
      return [...more, 'perhaps', 1]
    case 'string':
      return [...more, ...(node.format === undefined && node.pattern === undefined ? [] : ['no value!']), 12, ['text']]
    default:
      return [...more, 'text', 12]
  }
}

/** Numbers just outside of the range. */
const beyond = (node: Schema, step: number): readonly number[] => [
  ...(node.minimum === undefined ? [] : [node.minimum - step]),
  ...(node.exclusiveMinimum === undefined ? [] : [node.exclusiveMinimum]),
  ...(node.maximum === undefined ? [] : [node.maximum + step]),
]

/** The text of a variable that says a value. */
export const variableText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** True where every text is a value, so that a variable cannot say a wrong one. */
export const takesAnyText = (path: string, node: Schema): boolean =>
  refused[path] === undefined &&
  node.type === 'string' &&
  node.const === undefined &&
  node.format === undefined &&
  node.pattern === undefined

/**
 * What must stand beside a field of a connection for it to be allowed there. By the field's name.
 */
export const besideConnectionField: Readonly<Record<string, JsonObject>> = {
  provider: {},
  adapter: { provider: 'house', base_url: 'https://models.example/v1' },
  aws_region: { provider: 'amazon-bedrock' },
  aws_profile: { provider: 'amazon-bedrock' },
  azure_api_version: { provider: 'azure', base_url: 'https://tenant.example' },
}

/** A brand that speaks each protocol. */
export const brandOf: Readonly<Record<string, string>> = {
  completions: 'openai',
  responses: 'openai',
  'anthropic-messages': 'anthropic',
  'google-generate-content': 'google',
  'amazon-bedrock-converse': 'amazon-bedrock',
  'cohere-chat': 'cohere',
  ollama: 'ollama',
  huggingface: 'huggingface',
}
