import type { ServerResponse } from 'node:http'
import type { ServiceError } from '@agent-service/sdk'

/** The header that names parameters of a request which had no effect. */
export const ignoredHeader = 'x-ignored-parameters'

const maxNames = 40
const maxNameLength = 100

/**
 * Adds names to `X-Ignored-Parameters` of a response: each once, without values, and at most 40. Clients chose the
 * names, so characters that could mean something in a header are replaced.
 */
export function nameIgnored(response: Pick<ServerResponse, 'getHeader' | 'setHeader' | 'headersSent'>, names: readonly string[]): void {
  if (names.length === 0 || response.headersSent) return
  const present = response.getHeader(ignoredHeader)
  const all = new Set(typeof present === 'string' ? present.split(', ') : [])
  for (const name of names) {
    if (all.size >= maxNames) break
    const shown = name.slice(0, maxNameLength).replaceAll(/[^A-Za-z0-9_.[\]*-]/g, '_')
    if (shown !== '') all.add(shown)
  }
  response.setHeader(ignoredHeader, [...all].join(', '))
}

/** What a request whose error names it would have ignored: `ignored_parameters` of its details. */
export function ignoredBy({ details }: Pick<ServiceError, 'details'>): readonly string[] {
  const names = details['ignored_parameters']
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : []
}
