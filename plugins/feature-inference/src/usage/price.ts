import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelPrice } from '../catalogue/catalogue-schema.js'
import type { KnownPrice } from '../catalogue/known-price.js'

/** Costs are counted in billionths of a US dollar, so that sums of many small ones stay exact. */
const nanoPerDollar = 1_000_000_000

/** Where the cost of a call comes from. */
export type CostSource = 'configuration' | 'vendor' | 'catalogue'

/** Where the cost of a call comes from; `undefined` if nothing knows it. */
export function costSourceOf(usage: ModelUsage, known: KnownPrice): CostSource | undefined {
  if (ownPrice(known)) return 'configuration'
  if (usage.cost_usd !== undefined) return 'vendor'
  return known.catalogue && 'catalogue'
}

/**
 * The price of the configuration, completed by the catalogue; `undefined` if there is none, or if
 * the catalogue lacks what it omits.
 */
export function ownPrice({ own, catalogue }: KnownPrice): ModelPrice | undefined {
  const input = own?.input ?? catalogue?.input
  const output = own?.output ?? catalogue?.output
  if (!own || input === undefined || output === undefined) return undefined
  const cached = own.cached_input ?? own.input ?? catalogue?.cached_input
  return { input, output, ...(cached !== undefined && { cached_input: cached }) }
}

/**
 * The cost of a call, in billionths of a US dollar: by the price of the configuration, else as the
 * vendor reports it, else by the catalogue; `undefined` if none knows.
 */
export function costOf(usage: ModelUsage, known: KnownPrice): number | undefined {
  const own = ownPrice(known)
  const price = own ?? known.catalogue
  if (!own && usage.cost_usd !== undefined) return Math.max(0, Math.round(usage.cost_usd * nanoPerDollar))
  if (!price) return undefined
  const rate = tierOf(price, usage.input_tokens)
  const cached = Math.min(usage.cached_input_tokens, usage.input_tokens)
  const written = Math.min(usage.cache_write_input_tokens ?? 0, usage.input_tokens - cached)
  const plain = Math.max(0, usage.input_tokens - cached - written)
  // Prices are per million tokens, so they are also millionths of a dollar per token.
  const microDollars =
    plain * rate.input +
    cached * (rate.cached_input ?? rate.input) +
    written * (rate.cache_write ?? rate.input) +
    usage.output_tokens * rate.output
  return Math.round(microDollars * 1_000)
}

/** Billionths as dollars. */
export const dollarsOf = (nano: number): number => nano / nanoPerDollar

/** Dollars as billionths. */
export const nanoOf = (dollars: number): number => Math.round(dollars * nanoPerDollar)

/**
 * Long prompts cost more at some vendors: the tier with the highest bound that the prompt exceeds.
 */
function tierOf(price: ModelPrice, inputTokens: number): Omit<ModelPrice, 'tiers'> {
  const exceeded = (price.tiers ?? []).filter(({ above_input_tokens: bound }) => inputTokens > bound)
  return exceeded.sort((one, other) => other.above_input_tokens - one.above_input_tokens)[0] ?? price
}
