import type { ServerSection } from '@agent-service/kernel-core/config/sections'

/**
 * Whether the pages and the API are on different sites, as browsers define it: different schemes,
 * or different registrable domains by the Public Suffix List. Only then must cookies be sent across
 * sites.
 */
export async function isCrossSite(settings: Pick<ServerSection, 'base_url' | 'backend_url' | 'frontend_url'>): Promise<boolean> {
  const page = settings.frontend_url ?? settings.base_url
  const api = settings.backend_url ?? settings.base_url
  if (page === undefined || api === undefined) return false
  const [pages, backend] = [new URL(page), new URL(api)]
  if (pages.protocol !== backend.protocol) return true
  if (pages.hostname === backend.hostname) return false
  // The list is large, and only needed if two different hosts are configured.
  const { getDomain } = await import('tldts')
  const domain = getDomain(pages.hostname, { allowPrivateDomains: true })
  return domain === null || domain !== getDomain(backend.hostname, { allowPrivateDomains: true })
}
