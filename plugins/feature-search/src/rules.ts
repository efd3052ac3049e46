import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'
import { builtInOptions } from './common/built-in-options.js'

/**
 * A named provider is never replaced by another: without its key or address there is no web search,
 * which this reports.
 */
const warnOfUnavailableProvider: ConfigurationRule = (configuration, { environmentNames }) => {
  const search = configuration['search'] as JsonObject
  const option = builtInOptions.find(({ id }) => id === search['provider'])
  if (option === undefined) return []
  const { title, variable } = option
  const missing =
    variable === undefined
      ? search['selfhosted_base_url'] === undefined && 'search.selfhosted_base_url'
      : !environmentNames.includes(variable) && `the variable ${variable}`
  return missing === false
    ? []
    : [
        {
          path: 'search.provider',
          severity: 'warning',
          message: `web search is unavailable: ${title} needs ${missing}, which is not set. No other provider replaces it`,
        },
      ]
}

export const rules: readonly ConfigurationRule[] = [warnOfUnavailableProvider]
