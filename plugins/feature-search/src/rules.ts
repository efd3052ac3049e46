import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The variable of the service's environment that holds each hosted provider's key. */
const keys: Readonly<Record<string, { readonly name: string; readonly variable: string }>> = {
  hosted_a: { name: 'Tavily', variable: 'TAVILY_API_KEY' },
  hosted_b: { name: 'Brave Search', variable: 'BRAVE_API_KEY' },
}

/**
 * A named provider is never replaced by another: without its key or address there is no web search,
 * which this reports.
 */
const warnOfUnavailableProvider: ConfigurationRule = (configuration, { environmentNames }) => {
  const search = configuration['search'] as JsonObject
  const provider = String(search['provider'] ?? '')
  const hosted = Object.hasOwn(keys, provider) ? keys[provider] : undefined
  const problem =
    hosted !== undefined && !environmentNames.includes(hosted.variable)
      ? `${hosted.name} needs the variable ${hosted.variable}, which is not set`
      : provider === 'selfhosted' && search['selfhosted_base_url'] === undefined
        ? 'SearXNG needs search.selfhosted_base_url, which is not set'
        : undefined
  return problem === undefined
    ? []
    : [{ path: 'search.provider', severity: 'warning', message: `web search is unavailable: ${problem}. No other provider replaces it` }]
}

export const rules: readonly ConfigurationRule[] = [warnOfUnavailableProvider]
