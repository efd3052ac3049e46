import type { ConfigurationFinding, JsonObject } from '@agent-service/sdk'
import { defaultMaxOutputTokens } from '../catalogue/catalogue.js'
import { type ConfiguredModels, isObject, type Target, textIn } from './configured-models.js'

const minThinkingBudget = 1_024

/** The limits of what a model may generate must agree. */
export function checkOutputLimits(target: Target, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  return [...warnOfTwoLimits(target), ...checkThinking(target, configured)]
}

function warnOfTwoLimits({ path, settings }: Target): readonly ConfigurationFinding[] {
  return ['max_completion_tokens', 'num_predict']
    .filter((name) => settings['max_tokens'] !== undefined && settings[name] !== undefined)
    .map((name) => ({ path: `${path}.${name}`, severity: 'warning', message: 'overrides max_tokens, which is also set' }) as const)
}

function checkThinking(target: Target, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  const { settings, path } = target
  const thinking = settings['thinking']
  if (!isObject(thinking) || typeof thinking['budget_tokens'] !== 'number') return []
  const at = `${path}.thinking.budget_tokens`
  const budget = thinking['budget_tokens']
  const type = textIn(thinking, 'type')
  if (type === undefined) return [{ path: at, severity: 'warning', message: 'has no effect without thinking.type: enabled' }]
  if (type !== 'enabled') return []
  if (budget < minThinkingBudget) return [{ path: at, message: `must be at least ${minThinkingBudget} while thinking is enabled` }]
  const limit = outputLimit(settings, target, configured)
  return budget < limit.tokens ? [] : [{ path: at, message: `must be less than ${limit.words}` }]
}

/**
 * The output limit: the setting, else the catalogue's, else the default for protocols that require
 * one.
 */
function outputLimit(
  settings: JsonObject,
  { connection }: Target,
  { catalogue }: ConfiguredModels,
): { readonly tokens: number; readonly words: string } {
  const maxTokens = settings['max_tokens']
  if (typeof maxTokens === 'number') return { tokens: maxTokens, words: `max_tokens (${maxTokens})` }
  const model = textIn(settings, 'model') ?? ''
  const known = catalogue.model(connection?.brand?.id, model)?.max_output_tokens
  if (known !== undefined) return { tokens: known, words: `${known}, the output limit of “${model}” in the catalogue` }
  return { tokens: defaultMaxOutputTokens, words: `${defaultMaxOutputTokens}, the limit while max_tokens is not set; set max_tokens` }
}
