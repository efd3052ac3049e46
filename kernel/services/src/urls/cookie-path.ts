import type { ServerSection } from '@agent-service/kernel-core/config/sections'
import { basePathOf } from '@agent-service/kernel-core/http/request'

/**
 * The path of the cookie that keeps a person signed in. Pages and API may have different paths; the
 * cookie is for both, so its path is the part that they have in common, up to what no cookie can
 * name.
 */
export function cookiePathOf(settings: Pick<ServerSection, 'base_url' | 'backend_url' | 'frontend_url'>): string {
  const pages = segmentsOf(settings.frontend_url ?? settings.base_url)
  const api = segmentsOf(settings.backend_url ?? settings.base_url)
  const differs = pages.findIndex((segment, index) => segment !== api[index] || segment.includes(';'))
  return `/${pages.slice(0, differs === -1 ? pages.length : differs).join('/')}`
}

const segmentsOf = (address: string | undefined): readonly string[] => basePathOf(address).split('/').slice(1)
