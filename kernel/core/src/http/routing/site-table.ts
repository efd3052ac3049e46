import { isIP } from 'node:net'
import type { Disposer } from '@agent-service/sdk'
import type { HttpSite } from '@agent-service/sdk/contracts/http-site'
import { siteConflictError, siteInvalidError, siteNotOwnedError } from '../errors.js'
import type { RouteOwner, SiteMatch } from '../route-table.js'

/** The claimed host names. */
export interface SiteTable {
  /**
   * Claims hosts for an owner, whether it runs or not. The first owner of a name keeps it; the
   * service's own names cannot be claimed. Never throws.
   */
  claim(ownerId: string, patterns: readonly string[]): void
  /**
   * @throws `site_conflict` naming both owners, `site_not_owned`, `site_invalid` with the reason.
   */
  add(site: HttpSite, owner: RouteOwner): Disposer
  /**
   * Matches the `Host` header, an exact name before a pattern. `undefined` if the host is not
   * claimed.
   */
  match(hostHeader: string | undefined): SiteMatch | undefined
}

interface Claim {
  readonly ownerId: string
  served: { readonly site: HttpSite; readonly owner: RouteOwner } | undefined
}

/** Makes a table without claims. `ownUrls`: addresses of the service, whose hosts stay its own. */
export function createSiteTable(options: { readonly ownUrls: readonly (string | undefined)[] }): SiteTable {
  const ownHosts = new Set([
    'localhost',
    ...options.ownUrls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [hostOf(url)] : [])),
  ])
  const isOwn = (name: string): boolean => ownHosts.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
  const claims = new Map<string, Claim>()

  return {
    claim(ownerId, patterns) {
      for (const pattern of patterns) if (!isOwn(pattern) && !claims.has(pattern)) claims.set(pattern, { ownerId, served: undefined })
    },
    add(site, owner) {
      const reason = reasonAgainstSite(site) ?? (isOwn(site.host) ? 'it is a host name of the service itself' : undefined)
      if (reason !== undefined) throw siteInvalidError.create({ host: String(site.host), owner: owner.id, reason })
      const claim = claims.get(site.host)
      if (claim === undefined) throw siteNotOwnedError.create({ host: site.host, owner: owner.id })
      if (claim.ownerId !== owner.id || claim.served)
        throw siteConflictError.create({ host: site.host, owner: owner.id, otherOwner: claim.ownerId })
      const served = { site, owner }
      claim.served = served
      return () => {
        if (claim.served === served) claim.served = undefined
      }
    },
    match(hostHeader) {
      if (claims.size === 0) return undefined
      const host = hostNameOf(hostHeader)
      if (host === undefined || isOwn(host)) return undefined
      const wildcard = wildcardOf(host)
      const exact = claims.get(host)
      const claim = exact ?? (wildcard && claims.get(wildcard.pattern))
      if (!claim) return undefined
      const { served, ownerId } = claim
      return { host, label: exact ? undefined : wildcard?.label, ownerId, site: served?.site, owner: served?.owner }
    },
  }
}

const hostOf = (url: string): string => hostNameOf(new URL(url).host) ?? ''

function reasonAgainstSite({ specVersion, host, handle, upgrade }: HttpSite): string | undefined {
  if (specVersion !== 1) return `specVersion must be 1, not ${String(specVersion)}`
  if (typeof host !== 'string') return 'it has no host'
  if (typeof handle !== 'function') return 'it has no handle function'
  if (upgrade !== undefined && typeof upgrade !== 'function') return 'upgrade is not a function'
  return reasonAgainstPattern(host)
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The host name of a `Host` header in lower case, without port and final dot; `undefined` if it is
 * not valid.
 */
function hostNameOf(header: string | undefined): string | undefined {
  const name = /^(\[[^\]]+\]|[^:[\]]+)(?::\d*)?$/.exec((header ?? '').trim())?.[1]
  return name?.toLowerCase().replace(/\.$/, '')
}

/** Why a text is not a host name or pattern that can be claimed; `undefined` if it is. */
function reasonAgainstPattern(pattern: string): string | undefined {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern
  if (name.length > 253 || !name.split('.').every((part) => label.test(part)))
    return 'it must be a host name in lower case without a port; only its first label may be “*”'
  return isIP(name) === 0 && !/^\d+$/.test(name.split('.').at(-1) ?? '') ? undefined : 'it must be a host name, not an IP address'
}

/** The first label of a name, and the pattern that matches the name: `notes` and `*.localhost`. */
function wildcardOf(name: string): { readonly label: string; readonly pattern: string } | undefined {
  const dot = name.indexOf('.')
  return dot <= 0 ? undefined : { label: name.slice(0, dot), pattern: `*${name.slice(dot)}` }
}
