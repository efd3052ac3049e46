import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

/** The end of the range is exclusive: if it equals the start, the range is empty. */
const checkPorts: ConfigurationRule = (configuration) => {
  const { port_range_start: start, port_range_end: end } = configuration['mcp'] as JsonObject
  if (Number(start) < Number(end)) return []
  if (start === end)
    return [
      {
        path: 'mcp.port_range_end',
        severity: 'warning',
        message: `leaves no ports: it equals mcp.port_range_start, ${start}, and the end is exclusive`,
      },
    ]
  return [{ path: 'mcp.port_range_start', message: `is past the end of the range: ${start} is greater than mcp.port_range_end, ${end}` }]
}

export const rules: readonly ConfigurationRule[] = [checkPorts]
