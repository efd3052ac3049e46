import type { ConfigurationFinding } from '@agent-service/sdk'
import { type ConfiguredModels, isObject, type Target, textIn } from './configured-models.js'

/** More than any vendor asks for a million tokens, in US dollars. */
const unlikely = 1_000

/**
 * A price has to be complete, by itself or with the catalogue: what is left out would cost nothing.
 * Prices that are probably not meant are warnings; the schema refuses negative ones.
 */
export function checkPrice(target: Target, { catalogue }: ConfiguredModels): readonly ConfigurationFinding[] {
  const { path, settings, connection } = target
  const { price } = settings
  if (!isObject(price) || Object.keys(price).length === 0) return []
  const model = textIn(settings, 'model') ?? ''
  const known = catalogue.model(connection?.brand?.id, model)?.price
  const missing = ['input', 'output']
    .filter((name) => price[name] === undefined && !known)
    .map((name) => ({ path: `${path}.price.${name}`, message: `is required: the catalogue has no price of “${model}”` }))
  return [...missing, ...warningsOf(price, `${path}.price`)]
}

function warningsOf(price: Readonly<Record<string, unknown>>, path: string): readonly ConfigurationFinding[] {
  const { input, cached_input: cached } = price
  const high = ['input', 'cached_input', 'output'].flatMap((name) => {
    const value = price[name]
    return typeof value === 'number' && value > unlikely
      ? [warning(`${path}.${name}`, `is more than $${unlikely} for a million tokens. Prices are per million tokens, in US dollars`)]
      : []
  })
  const reversed =
    typeof input === 'number' && typeof cached === 'number' && cached > input
      ? [warning(`${path}.cached_input`, 'is higher than price.input, although input from a cache usually costs less')]
      : []
  return [...high, ...reversed]
}

const warning = (path: string, message: string): ConfigurationFinding => ({ path, severity: 'warning', message })
