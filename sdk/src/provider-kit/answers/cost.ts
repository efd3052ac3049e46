import type { JsonObject } from '../../core/json.js'
import { numberAt, objectAt } from '../common/json.js'

/** One of the ticks in which xAI counts, in US dollars. */
const tick = 1e-10

/**
 * The cost that a vendor reports, in US dollars: OpenRouter as a number, Perplexity as a sum of
 * parts, xAI in ticks.
 */
export function costOf(usage: JsonObject): number | undefined {
  const ticks = numberAt(usage, 'cost_in_usd_ticks')
  const cost =
    numberAt(usage, 'cost') ?? numberAt(objectAt(usage, 'cost'), 'total_cost') ?? (ticks === undefined ? undefined : ticks * tick)
  return cost === undefined || cost < 0 ? undefined : cost
}
