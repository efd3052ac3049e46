import type { ModelPrice, ModelsFile, SnapshotModel } from '../catalogue-schema.js'
import { amountOf, countOf, type Members, membersOf, providerOf, textOf, textsOf } from './source.js'

/** The built-in brands that the source lists, under the same ids. */
export const snapshotBrands = [
  ...['openai', 'anthropic', 'groq', 'openrouter', 'deepseek', 'google', 'cohere', 'mistral', 'perplexity', 'togetherai', 'xai'],
  ...['moonshotai', 'huggingface', 'azure', 'amazon-bedrock', 'github-copilot', 'kimi-for-coding'],
] as const

/**
 * The models of our brands in the source, in a fixed order. Omitted are models that do not turn
 * text into text (images, speech, embeddings, rankings), deprecated models, models without a
 * context window, and models that a brand serves at a different address or with a different
 * protocol.
 */
export function convertModels(source: unknown, version: string): ModelsFile {
  const providers = membersOf(source)
  const brands = snapshotBrands.map((brand) => {
    const models = Object.entries(providerOf(ownMember(providers, brand))?.models ?? {})
      .map(([id, model]) => [id, convertModel(id, membersOf(model))] as const)
      .filter((entry): entry is readonly [string, SnapshotModel] => entry[1] !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
    return [brand, Object.fromEntries(models)] as const
  })
  return { version, models: Object.fromEntries(brands.filter(([, models]) => Object.keys(models).length > 0)) }
}

const ownMember = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined)

/** Only their ids show their purpose: the source lists them as text models. */
const otherPurpose = /embed|rerank|moderation|prompt-guard/i

function convertModel(id: string, model: Members): SnapshotModel | undefined {
  const limit = membersOf(model['limit'])
  const contextWindow = countOf(limit['context'])
  const modalities = membersOf(model['modalities'])
  const input = textsOf(modalities['input'])
  const elsewhere = membersOf(model['provider'])
  if (contextWindow === undefined || model['status'] === 'deprecated' || id === '' || id.length > 200 || otherPurpose.test(id))
    return undefined
  if (!input.includes('text') || !textsOf(modalities['output']).includes('text')) return undefined
  if (elsewhere['npm'] !== undefined || elsewhere['api'] !== undefined) return undefined
  const name = textOf(model['name'])?.slice(0, 200)
  const outputLimit = countOf(limit['output'])
  const price = convertPrice(model['cost'])
  const beside = input.filter((modality) => modality !== 'text').sort()
  const abilities = abilitiesOf(model)
  return {
    ...(name !== undefined && name !== id && { name }),
    context_window: contextWindow,
    ...(outputLimit !== undefined && { max_output_tokens: outputLimit }),
    ...(price && { price }),
    ...(beside.length > 0 && { input: beside }),
    ...(abilities.length > 0 && { abilities }),
  }
}

const abilitiesOf = (model: Members): string[] =>
  (
    [
      ['tool_call', 'tools'],
      ['reasoning', 'reasoning'],
      ['structured_output', 'structured_output'],
    ] as const
  ).flatMap(([member, ability]) => (model[member] === true ? [ability] : []))

function convertPrice(cost: unknown): ModelPrice | undefined {
  const members = membersOf(cost)
  const rates = ratesOf(members)
  if (!rates) return undefined
  const tiers = tiersOf(members)
  return { ...rates, ...(tiers.length > 0 && { tiers }) }
}

/** Dollars per million tokens. */
function ratesOf(members: Members): Omit<ModelPrice, 'tiers'> | undefined {
  const input = amountOf(members['input'])
  const output = amountOf(members['output'])
  if (input === undefined || output === undefined) return undefined
  const cachedInput = amountOf(members['cache_read'])
  const cacheWrite = amountOf(members['cache_write'])
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cached_input: cachedInput }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
  }
}

/** Tiers by the size of the prompt; older versions of the source use `context_over_200k`. */
function tiersOf(members: Members): NonNullable<ModelPrice['tiers']> {
  const listed = Array.isArray(members['tiers']) ? members['tiers'].map(membersOf) : []
  const older = members['context_over_200k'] === undefined ? [] : [{ ...membersOf(members['context_over_200k']), tier: { size: 200_000 } }]
  return (listed.length > 0 ? listed : older)
    .flatMap((entry: Members) => {
      const tier = membersOf(entry['tier'])
      const bound = countOf(tier['size'])
      const rates = ratesOf(entry)
      const byContext = tier['type'] === undefined || tier['type'] === 'context'
      return bound !== undefined && rates && byContext ? [{ above_input_tokens: bound, ...rates }] : []
    })
    .sort((one, other) => one.above_input_tokens - other.above_input_tokens)
}
