import type { ConfigurationFacts, ConfigurationFinding, ConfigurationRule, JsonObject, JsonValue } from '@agent-service/sdk'

const handlePattern = /^[a-z][a-z0-9_-]{1,31}$/

/** The seven families: plain name, default protocol, protocols. */
const families: Readonly<Record<string, { readonly name: string; readonly protocol: string; readonly protocols: readonly string[] }>> = {
  adapter_alpha: { name: 'openai', protocol: 'completions', protocols: ['completions', 'responses'] },
  adapter_beta: { name: 'anthropic', protocol: 'anthropic-messages', protocols: ['anthropic-messages'] },
  adapter_gamma: { name: 'gemini', protocol: 'google-generate-content', protocols: ['google-generate-content'] },
  adapter_delta: { name: 'bedrock', protocol: 'amazon-bedrock-converse', protocols: ['amazon-bedrock-converse'] },
  adapter_epsilon: { name: 'cohere', protocol: 'cohere-chat', protocols: ['cohere-chat'] },
  adapter_zeta: { name: 'ollama', protocol: 'ollama', protocols: ['ollama'] },
  adapter_eta: { name: 'huggingface', protocol: 'huggingface', protocols: ['huggingface'] },
}

const protocolAliases: Readonly<Record<string, string>> = {
  chat_completions: 'completions',
  'openai-chat-completions': 'completions',
  'openai-responses': 'responses',
}

/** The typed settings that each protocol supports beside `max_tokens` and `temperature`. Protocols that are not named here are not checked. */
const typedSettings: Readonly<Record<string, readonly string[]>> = {
  completions: [
    ...['top_p', 'min_p', 'frequency_penalty', 'presence_penalty', 'seed', 'max_completion_tokens', 'reasoning_effort'],
    ...['logprobs', 'top_logprobs', 'stop'],
  ],
  responses: ['top_p', 'max_completion_tokens', 'reasoning_effort', 'top_logprobs'],
  'cohere-chat': [],
  huggingface: [],
}

/** Fields of the native body that the service owns. */
const protectedFields: Readonly<Record<string, readonly string[]>> = {
  completions: ['model', 'messages', 'tools', 'tool_choice', 'functions', 'function_call', 'stream', 'stream_options', 'n'],
  responses: ['model', 'input', 'instructions', 'tools', 'tool_choice', 'stream', 'previous_response_id', 'conversation'],
}

const commonMembers: ReadonlySet<string> = new Set([
  ...['provider', 'model', 'api', 'extra_params', 'fallbacks', 'max_tokens', 'temperature', 'context_window', 'retry'],
])

interface BrandFacts {
  readonly id: string
  readonly names: readonly string[]
  readonly adapter: string
  readonly protocol: string
  readonly protocols: readonly string[]
  readonly typedSettings: boolean
  readonly hasBaseUrl: boolean
  readonly variables: readonly string[]
}

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (value: JsonObject, name: string): string | undefined => (typeof value[name] === 'string' ? value[name] : undefined)
const textsIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((entry): entry is string => typeof entry === 'string') : []
const entriesOf = (value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] =>
  isObject(value) ? Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1])) : []
/** A key as it stands in a dotted path. */
const keyed = (name: string): string => (/[."]/.test(name) ? JSON.stringify(name) : name)

function brandsOf(facts: ConfigurationFacts): readonly BrandFacts[] {
  const file = facts.catalogue['brands']
  const list = isObject(file) && Array.isArray(file['brands']) ? (file['brands'] as readonly JsonValue[]) : []
  return list.filter(isObject).map((brand) => {
    const id = textIn(brand, 'id') ?? ''
    const discovery = isObject(brand['discovery']) ? brand['discovery'] : {}
    return {
      id,
      names: [id, ...textsIn(brand['aliases'])],
      adapter: textIn(brand, 'adapter') ?? '',
      protocol: textIn(brand, 'default_protocol') ?? '',
      protocols: textsIn(brand['protocols']),
      typedSettings: brand['typed_settings'] === true,
      hasBaseUrl: textIn(brand, 'base_url') !== undefined,
      variables: [...textsIn(discovery['api_key']), ...textsIn(discovery['base_url'])],
    }
  })
}

const adapterIdOf = (written: string | undefined): string | undefined =>
  written === undefined
    ? undefined
    : (Object.entries(families).find(([id, family]) => id === written || family.name === written)?.[0] ?? written)

interface KnownConnection {
  readonly handle: string
  readonly settings: JsonObject
  readonly brand: BrandFacts | undefined
  readonly adapter: string | undefined
}

function connectionsOf(configuration: JsonObject, brands: readonly BrandFacts[]): readonly KnownConnection[] {
  return entriesOf(configuration['providers']).map(([handle, settings]) => {
    const written = textIn(settings, 'provider') ?? handle
    const brand = brands.find((candidate) => candidate.names.includes(written))
    return { handle, settings, brand, adapter: brand?.adapter ?? adapterIdOf(textIn(settings, 'adapter')) }
  })
}

/** Brands that the environment offers and that no handle of their name configures. */
function discoveredBrands(
  facts: ConfigurationFacts,
  brands: readonly BrandFacts[],
  connections: readonly KnownConnection[],
): readonly BrandFacts[] {
  const present = new Set(facts.environmentNames)
  return brands.filter(
    (brand) => brand.variables.some((name) => present.has(name)) && !connections.some(({ handle }) => brand.names.includes(handle)),
  )
}

const checkConnections: ConfigurationRule = (configuration, facts) => connectionsOf(configuration, brandsOf(facts)).flatMap(checkConnection)

function checkConnection({ handle, settings, brand, adapter }: KnownConnection): readonly ConfigurationFinding[] {
  const path = `providers.${keyed(handle)}`
  const has = (name: string): boolean => settings[name] !== undefined
  const findings: ConfigurationFinding[] = []
  const problem = (member: string, message: string): void =>
    void findings.push({ path: member === '' ? path : `${path}.${member}`, message })

  if (!handlePattern.test(handle)) {
    problem('', 'is no valid handle: 2 to 32 lower-case letters, digits, hyphens or underscores, the first a letter')
  }
  if (has('azure_credential')) problem('azure_credential', 'is not supported: the cloud tenant takes an API key. Set api_key')
  for (const other of ['api_key', 'aws_profile']) {
    if (has('credential_id') && has(other)) problem('credential_id', `cannot be combined with ${other}; keep one of the two`)
  }
  if (has('aws_profile') && has('api_key')) problem('aws_profile', 'cannot be combined with api_key; keep one of the two')
  for (const name of ['aws_region', 'aws_profile']) {
    if (has(name) && adapter !== 'adapter_delta') problem(name, 'is only for the cloud-platform adapter (adapter_delta)')
  }
  if (has('azure_api_version') && brand?.id !== 'azure') problem('azure_api_version', 'is only for the cloud-tenant brand (azure)')
  findings.push(
    ...(brand ? checkBuiltIn(path, settings, brand) : checkCustom(path, settings, adapter, textIn(settings, 'provider') ?? handle)),
  )
  return findings
}

function checkBuiltIn(path: string, settings: JsonObject, brand: BrandFacts): readonly ConfigurationFinding[] {
  const adapter = adapterIdOf(textIn(settings, 'adapter'))
  const findings: ConfigurationFinding[] = []
  if (adapter !== undefined && adapter !== brand.adapter) {
    findings.push({
      path: `${path}.adapter`,
      message: `must be ${brand.adapter} for the built-in brand “${brand.id}”; leave it out, or give provider a name of your own`,
    })
  }
  if (!brand.hasBaseUrl && brand.adapter !== 'adapter_delta' && settings['base_url'] === undefined) {
    findings.push({ path: `${path}.base_url`, message: `is required for the brand “${brand.id}”` })
  }
  return findings
}

function checkCustom(path: string, settings: JsonObject, adapter: string | undefined, name: string): readonly ConfigurationFinding[] {
  if (adapter === undefined) {
    return [
      {
        path: `${path}.adapter`,
        message: `is required: “${name}” is no built-in brand. Name its protocol family (adapter_alpha for OpenAI-style endpoints), or set provider to a built-in brand`,
      },
    ]
  }
  const isBuiltIn = Object.hasOwn(families, adapter)
  const findings: ConfigurationFinding[] = []
  if (isBuiltIn && adapter !== 'adapter_zeta' && settings['base_url'] === undefined) {
    findings.push({ path: `${path}.base_url`, message: `is required for a custom brand with ${adapter}` })
  }
  if (!isBuiltIn) {
    findings.push({
      path: `${path}.adapter`,
      severity: 'warning',
      message: `“${adapter}” is no built-in adapter; an installed plugin must contribute it`,
    })
  }
  return findings
}

/** A group or an entry of its fallbacks. */
interface Target {
  readonly path: string
  readonly settings: JsonObject
}

function targetsOf(path: string, settings: JsonObject): readonly Target[] {
  const fallbacks = Array.isArray(settings['fallbacks']) ? (settings['fallbacks'] as readonly JsonValue[]) : []
  return [
    { path, settings },
    ...fallbacks.flatMap((entry, index) => (isObject(entry) ? targetsOf(`${path}.fallbacks[${index}]`, entry) : [])),
  ]
}

const checkGroups: ConfigurationRule = (configuration, facts) => {
  const brands = brandsOf(facts)
  const connections = connectionsOf(configuration, brands)
  const discovered = discoveredBrands(facts, brands, connections)
  return entriesOf(configuration['models'])
    .flatMap(([name, settings]) => targetsOf(`models.${keyed(name)}`, settings))
    .flatMap((target) => checkTarget(target, connections, discovered, brands))
}

function checkTarget(
  target: Target,
  connections: readonly KnownConnection[],
  discovered: readonly BrandFacts[],
  brands: readonly BrandFacts[],
): readonly ConfigurationFinding[] {
  const provider = textIn(target.settings, 'provider') ?? ''
  const spellings = brands.find((brand) => brand.names.includes(provider))?.names ?? [provider]
  const connection = connections.find(({ handle }) => handle === provider) ?? connections.find(({ handle }) => spellings.includes(handle))
  const offered = discovered.find((brand) => spellings.includes(brand.id))
  if (!connection && !offered) {
    const known = [...connections.map(({ handle }) => handle), ...discovered.map(({ id }) => id)]
    const mend = known.length === 0 ? 'there is none; add it under providers' : `known are ${known.join(', ')}`
    return [{ path: `${target.path}.provider`, message: `“${provider}” is no configured or discovered connection; ${mend}` }]
  }
  const brand = connection?.brand ?? offered
  const adapter = connection?.adapter ?? offered?.adapter ?? ''
  return [...checkLimits(target), ...checkProtocol(target, brand, adapter)]
}

function checkLimits({ path, settings }: Target): readonly ConfigurationFinding[] {
  return ['max_completion_tokens', 'num_predict']
    .filter((name) => settings['max_tokens'] !== undefined && settings[name] !== undefined)
    .map((name) => ({ path: `${path}.${name}`, severity: 'warning', message: 'wins over max_tokens, which is set too' }) as const)
}

function checkProtocol({ path, settings }: Target, brand: BrandFacts | undefined, adapter: string): readonly ConfigurationFinding[] {
  const family = families[adapter]
  const offered = brand?.protocols ?? family?.protocols
  if (!offered || !family) return []
  const written = textIn(settings, 'api')
  const protocol =
    written === undefined ? (brand?.protocol ?? family.protocol) : (protocolAliases[written] ?? families[written]?.protocol ?? written)
  const who = brand ? `the brand “${brand.id}”` : adapter
  if (!offered.includes(protocol)) {
    return [{ path: `${path}.api`, message: `“${written ?? protocol}” is not spoken by ${who}; it speaks ${offered.join(', ')}` }]
  }
  const extra = isObject(settings['extra_params']) ? settings['extra_params'] : {}
  const owned = (protectedFields[protocol] ?? []).filter((name) => Object.hasOwn(extra, name))
  return [
    ...owned.map((name) => ({ path: `${path}.extra_params.${name}`, message: 'is set by the service itself; remove it' })),
    ...checkTyped({ path, settings }, protocol, brand),
  ]
}

function checkTyped({ path, settings }: Target, protocol: string, brand: BrandFacts | undefined): readonly ConfigurationFinding[] {
  const supported = brand && !brand.typedSettings ? [] : typedSettings[protocol]
  if (!supported) return []
  const what = supported.length === 0 ? 'only max_tokens and temperature' : supported.join(', ')
  const who = brand && !brand.typedSettings ? `the brand “${brand.id}”` : `the protocol “${protocol}”`
  return Object.keys(settings)
    .filter((name) => !commonMembers.has(name) && !supported.includes(name))
    .map((name) => ({
      path: `${path}.${name}`,
      message: `is not supported by ${who}, which supports ${what}; use extra_params for native parameters`,
    }))
}

const warnWithoutGroups: ConfigurationRule = (configuration) =>
  entriesOf(configuration['providers']).length > 0 && entriesOf(configuration['models']).length === 0
    ? [
        {
          path: 'models',
          severity: 'warning',
          message: 'is empty although providers are configured: no model can be called. Add a group, for example primary',
        },
      ]
    : []

/** What the sections `providers` and `models` must hold together. */
export const rules: readonly ConfigurationRule[] = [checkConnections, checkGroups, warnWithoutGroups]
