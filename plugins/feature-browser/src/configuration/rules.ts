import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The default of `browser.api_token`. */
export const builtInToken = 'service'

/** A browser service that accepts the built-in token accepts it from anyone. */
const warnOfBuiltInToken: ConfigurationRule = (configuration) => {
  const browser = configuration['browser'] as JsonObject
  if (browser['ws_url'] === undefined || browser['api_token'] !== builtInToken) return []
  return [
    {
      path: 'browser.api_token',
      severity: 'warning',
      message: `the built-in token “${builtInToken}” is in use, which is public. Set a token of your own here and at the browser service`,
    },
  ]
}

export const rules: readonly ConfigurationRule[] = [warnOfBuiltInToken]
