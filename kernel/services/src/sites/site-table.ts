import { isIP } from 'node:net'
import type { RouteOwner } from '@agent-service/kernel-core/http'
import type { SiteTable } from '@agent-service/kernel-core/http/routing'
import { defineError } from '@agent-service/sdk'
import type { HttpSite } from '@agent-service/sdk/contracts/http-site'

/** Two plugins claim one host. */
export const siteConflictError = defineError<{ readonly host: string; readonly owner: string; readonly otherOwner: string }>({
  code: 'site_conflict',
  status: 500,
  title: 'Site conflict',
  message: ({ host, owner, otherOwner }) =>
    `The site ${host} of “${owner}” already belongs to “${otherOwner}”. One of the two needs another host.`,
})

/** A site has a host that its owner may not use. */
export const siteNotOwnedError = defineError<{ readonly host: string; readonly owner: string }>({
  code: 'site_not_owned',
  status: 500,
  title: 'Site not owned',
  message: ({ host, owner }) =>
    `The site ${host} of “${owner}” is not among the “hosts” of its manifest. Only built-in plugins may have hosts; other plugins serve paths below /api/plugins/${owner}/.`,
})

/** A site's definition is not valid. */
export const siteInvalidError = defineError<{ readonly host: string; readonly owner: string; readonly reason: string }>({
  code: 'site_invalid',
  status: 500,
  title: 'Site invalid',
  message: ({ host, owner, reason }) => `The site ${host} of “${owner}” is not valid: ${reason}.`,
})

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
