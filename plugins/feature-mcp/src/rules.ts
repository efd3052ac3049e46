import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The end of the range is exclusive: where it is its start, there is no port in it. */
const checkPorts: ConfigurationRule = (configuration) => {
  const { port_range_start: start, port_range_end: end } = configuration['mcp'] as JsonObject
  if (Number(start) < Number(end)) return []
  if (start === end)
    return [{ path: 'mcp.port_range_end', severity: 'warning', message: `leaves no port: the range ends before ${end}, where it starts` }]
  return [{ path: 'mcp.port_range_start', message: `is past the end of the range: ${start} is over mcp.port_range_end, ${end}` }]
}

export const rules: readonly ConfigurationRule[] = [checkPorts]
