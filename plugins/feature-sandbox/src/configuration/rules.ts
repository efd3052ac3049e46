import type { ConfigurationFinding, ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** Shown at the start, and by `agent-service config check` and `agent-service doctor`. */
const warnOfDisabled: ConfigurationRule = (configuration) => {
  const { disabled } = configuration['sandbox'] as JsonObject
  if (disabled !== true) return []
  const message =
    'is true: code of agents can read and change every file that its user can; limits, network policy and tokens stay. Not for production'
  return [{ path: 'sandbox.disabled', severity: 'warning', message }]
}

/** A limit of one agent above that of all is never reached. */
const compareLimits: ConfigurationRule = (configuration) => {
  const section = configuration['sandbox'] as JsonObject
  return ['cpu', 'memory'].flatMap((what): readonly ConfigurationFinding[] => {
    const [own, all] = [Number(section[`max_${what}_pct`]), Number(section[`max_total_${what}_pct`])]
    if (own <= all) return []
    const message = `is ${own}, and has no effect beyond sandbox.max_total_${what}_pct, ${all}`
    return [{ path: `sandbox.max_${what}_pct`, severity: 'warning', message }]
  })
}

export const rules: readonly ConfigurationRule[] = [warnOfDisabled, compareLimits]
