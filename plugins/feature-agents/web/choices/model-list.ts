import { type NamedModel, namedModels, numberText } from '@agent-service/sdk/web'
import type { Schemas } from '../api/index.js'
import { t } from './model-texts.js'

type ModelGroup = Schemas['ModelGroup']

/** Models under one heading. */
export interface ModelSection {
  readonly heading: string
  readonly models: readonly NamedModel[]
}

/** Whether a model has all words of a search in its name, id, brand, provider or group. */
export function isFound({ name, title, model, brand_name, provider }: ModelGroup, query: string): boolean {
  const text = `${title} ${model} ${brand_name} ${provider} ${name}`.toLowerCase()
  return wordsOf(query).every((word) => text.includes(word))
}

export const wordsOf = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

/** The models under the names of their brands, in the order of the service; first, unless one searches, those used last. */
export function sectionsOf(groups: readonly ModelGroup[], query: string, recent: readonly string[]): readonly ModelSection[] {
  const found = namedModels(groups).filter(({ group }) => isFound(group, query))
  const last = wordsOf(query).length > 0 ? [] : recent.flatMap((name) => found.filter(({ group }) => group.name === name))
  const rest = found.filter((model) => !last.includes(model))
  const brands = [...new Set(rest.map(({ group }) => group.brand_name))]
  return [
    ...(last.length > 0 ? [{ heading: t('recent'), models: last }] : []),
    ...brands.map((heading) => ({ heading, models: rest.filter(({ group }) => group.brand_name === heading) })),
  ]
}

/** What a model takes, can do and costs, as far as it is known, and how much it reads at a time. */
export function factsText(group: ModelGroup): string {
  const { input, abilities, tools, context_window } = group
  return [
    input?.includes('image') ? t('pictures') : '',
    input?.includes('pdf') ? t('files') : '',
    input?.includes('audio') ? t('sound') : '',
    tools === false ? t('no_tools') : abilities?.includes('tools') ? t('tools') : '',
    abilities?.includes('reasoning') ? t('reasoning') : '',
    t('window', { tokens: numberText(context_window, { notation: 'compact' }) }),
    priceText(group),
  ]
    .filter((word) => word !== '')
    .join(' · ')
}

/** What a million tokens cost; nothing if that is not known. */
function priceText({ price, local }: ModelGroup): string {
  if (local) return t('local')
  if (!price) return ''
  if (price.input === 0 && price.output === 0) return t('free')
  return t('price', { input: dollars(price.input), output: dollars(price.output) })
}

const dollars = (value: number): string =>
  numberText(value, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: 3,
  })
