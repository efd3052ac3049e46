import type { ModelsFile, OverridesFile } from './catalogue-schema.js'

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isCount = (value: unknown): boolean => typeof value === 'number' && value > 0 && Number.isSafeInteger(value)
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value)
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/**
 * Whether a snapshot is clearly valid. It is the largest file that is read at every start, and this
 * takes a fraction of the time of its schema. If this returns false, the schema decides and
 * describes the problems.
 */
export function isClearlyValidSnapshot(value: unknown): value is ModelsFile {
  if (!isObject(value) || Object.keys(value).length !== 2) return false
  const { version, models } = value
  return typeof version === 'string' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(version) && areBrandsValid(models, true)
}

/** The same check for the overrides. */
export function isClearlyValidOverrides(value: unknown): value is OverridesFile {
  if (!isObject(value)) return false
  const { version, models, ...others } = value
  return Object.keys(others).length === 0 && (version === undefined || isText(version)) && areBrandsValid(models, false)
}

function areBrandsValid(brands: unknown, whole: boolean): boolean {
  if (!isObject(brands)) return false
  for (const known of Object.values(brands)) {
    if (!isObject(known)) return false
    for (const id in known) if (!isModelValid(known[id], whole)) return false
  }
  return true
}

/**
 * Written out by member, because it runs for each model right after the start, before any code is
 * optimized.
 */
function isModelValid(model: unknown, whole: boolean): boolean {
  if (!isObject(model) || (whole && model['context_window'] === undefined)) return false
  for (const name in model) {
    const value = model[name]
    switch (name) {
      case 'context_window':
      case 'max_output_tokens':
        if (!isCount(value)) return false
        break
      case 'name':
      case 'protocol':
        if (!isText(value)) return false
        break
      case 'price':
        if (!isPriceValid(value)) return false
        break
      case 'input':
      case 'abilities':
        if (!areTexts(value)) return false
        break
      default:
        return false
    }
  }
  return true
}

function isPriceValid(price: unknown): boolean {
  if (!isObject(price)) return false
  const { tiers, ...rates } = price
  return areRatesValid(rates) && (tiers === undefined || (Array.isArray(tiers) && tiers.every(isTierValid)))
}

function isTierValid(tier: unknown): boolean {
  if (!isObject(tier)) return false
  const { above_input_tokens: bound, ...rates } = tier
  return isCount(bound) && areRatesValid(rates)
}

function areRatesValid(rates: Members): boolean {
  if (rates['input'] === undefined || rates['output'] === undefined) return false
  for (const name in rates) {
    if (name !== 'input' && name !== 'output' && name !== 'cached_input' && name !== 'cache_write') return false
    if (!isAmount(rates[name])) return false
  }
  return true
}
