import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ConfigurationFacts, ConfigurationFinding, JsonObject, JsonValue, SchemaExtension } from '@agent-service/sdk'
import { Type } from '@agent-service/sdk'
import { rules } from '../rules/index.js'

const catalogueFile = (name: string): JsonValue =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../../resources/catalogue/${name}.json`, import.meta.url)), 'utf8')) as JsonValue

/** The catalogue of the repository, as passed to rules. */
export const catalogueFacts: Readonly<Record<string, JsonValue>> = Object.freeze(
  Object.fromEntries(['brands', 'models', 'protocols', 'model-overrides', 'compatible-brands'].map((name) => [name, catalogueFile(name)])),
)

/** The settings that an adapter adds to a group. */
const extension = (variant: string, names: readonly string[], noEffect?: string): SchemaExtension => ({
  section: 'models',
  place: 'settings',
  variant,
  schema: Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())])),
    noEffect === undefined ? {} : { 'x-no-effect': noEffect },
  ),
})

const extensions: readonly SchemaExtension[] = [
  extension('completions', ['top_p', 'min_p', 'seed', 'stop', 'max_completion_tokens', 'reasoning_effort']),
  extension('responses', ['top_p', 'max_completion_tokens', 'reasoning_effort'], 'It comes later.'),
  extension('anthropic-messages', ['thinking', 'top_p', 'top_k', 'stop_sequences']),
  extension('google-generate-content', ['thinking_config', 'top_p']),
  extension('amazon-bedrock-converse', ['top_p']),
  extension('cohere-chat', []),
  extension('ollama', ['num_ctx', 'num_predict', 'top_p']),
  { section: 'models', place: 'elsewhere', variant: 'completions', schema: Type.Object({ elsewhere: Type.String() }) },
  { section: 'memory', place: 'settings', variant: 'completions', schema: Type.Object({ memory: Type.String() }) },
]

/** The findings in two sections, without the catalogue's defaults. */
export const runRules = (...given: Parameters<typeof runAllRules>): readonly ConfigurationFinding[] =>
  runAllRules(...given).filter(({ catalogueDefault }) => catalogueDefault === undefined)

/** The defaults of the catalogue by path. */
export const defaultsOf = (...given: Parameters<typeof runAllRules>): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(
    runAllRules(...given).flatMap(({ path, catalogueDefault }) => (catalogueDefault ? [[path, catalogueDefault.value]] : [])),
  )

function runAllRules(
  providers: JsonObject,
  models: JsonObject = {},
  changes: Partial<ConfigurationFacts> = {},
): readonly ConfigurationFinding[] {
  const facts: ConfigurationFacts = { environmentNames: [], catalogue: catalogueFacts, extensions, thirdPartyPoints: [], ...changes }
  return rules.flatMap((rule) => rule({ providers, models, inference: {} }, facts))
}

const isError = ({ severity, overlap }: ConfigurationFinding): boolean => severity !== 'warning' && overlap === undefined

/** Each error as `path: message`. */
export const errorsOf = (...given: Parameters<typeof runRules>): readonly string[] =>
  runRules(...given)
    .filter(isError)
    .map(({ path, message }) => `${path}: ${message}`)

/** The paths of the errors. */
export const errorPaths = (...given: Parameters<typeof runRules>): readonly string[] =>
  runRules(...given)
    .filter(isError)
    .map(({ path }) => path)

/** Each warning as `path: message`. */
export const warningsOf = (...given: Parameters<typeof runRules>): readonly string[] =>
  runRules(...given)
    .filter(({ severity }) => severity === 'warning')
    .map(({ path, message }) => `${path}: ${message}`)
