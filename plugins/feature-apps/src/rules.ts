import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The range is inclusive, so the smallest range has one port. */
const checkPorts: ConfigurationRule = (configuration) => {
  const { port_range_start: start, port_range_end: end } = configuration['app'] as JsonObject
  return Number(start) <= Number(end)
    ? []
    : [{ path: 'app.port_range_start', message: `is past the end of the range: ${start} is greater than app.port_range_end, ${end}` }]
}

export const rules: readonly ConfigurationRule[] = [checkPorts]
