import type { JsonObject } from '@agent-service/sdk'
import { objectAt, textAt } from '@agent-service/sdk/provider-kit'

const publicDomain = 'githubcopilot.com'

/** True for a GitHub token, which has to be exchanged; a Copilot token is used as it is. */
export const isGitHubToken = (key: string): boolean => /^(gh[opsu]_|github_pat_)/.test(key)

/**
 * Where GitHub tokens are exchanged: at GitHub, or at the company's own instance for
 * `https://copilot-api.DOMAIN`.
 */
export function exchangeAddress(baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const domain = isUnder(host, publicDomain) ? 'github.com' : domainOf(host)
  return `https://api.${domain}/copilot_internal/v2/token`
}

/**
 * Where calls go: the address in the exchanged token (`endpoints.api`, else its `proxy-ep` with
 * `api.` for `proxy.`), as long as that is https under githubcopilot.com or the domain that was
 * configured; else the address of the connection.
 */
export function apiAddress(token: JsonObject, baseUrl: string): string {
  const named = textAt(objectAt(token, 'endpoints'), 'api') ?? proxyOf(textAt(token, 'token') ?? '')
  if (named === undefined || !URL.canParse(named)) return baseUrl
  const url = new URL(named)
  const configured = URL.canParse(baseUrl) ? domainOf(new URL(baseUrl).hostname) : publicDomain
  const isOurs = isUnder(url.hostname, publicDomain) || isUnder(url.hostname, configured)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return url.protocol === 'https:' && isOurs && isPlain ? named.replace(/\/+$/, '') : baseUrl
}

const proxyOf = (token: string): string | undefined => {
  const host = /(?:^|;)\s*proxy-ep=([^;\s]+)/.exec(token)?.[1]
  return host === undefined ? undefined : `https://${host.replace(/^proxy\./, 'api.')}`
}

const domainOf = (host: string): string => host.replace(/^(copilot-api|api)\./, '')

const isUnder = (host: string, domain: string): boolean => domain !== '' && (host === domain || host.endsWith(`.${domain}`))
