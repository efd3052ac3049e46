import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { Share } from '../store/share.js'

/** What is measured of links. */
export interface ShareMetrics {
  created(kind: Share['kind'], by: Share['created_by']): void
  revoked(): void
  cleaned(count: number): void
  /** A request of a link: what was asked for, and whether there was something. */
  opened(what: 'content' | 'page', outcome: 'found' | 'missing' | 'limited'): void
}

export function createShareMetrics(metrics: Metrics): ShareMetrics {
  const created = metrics.counter({
    name: 'share_links_created_total',
    help: 'Links that were made, by what they lead to (file, chat) and who made them (person, agent, service).',
    labels: ['kind', 'by'],
  })
  const revoked = metrics.counter({ name: 'share_links_revoked_total', help: 'Links that were revoked.', labels: [] })
  const cleaned = metrics.counter({ name: 'share_links_expired_total', help: 'Expired links that were deleted.', labels: [] })
  const opened = metrics.counter({
    name: 'share_requests_total',
    help: 'Requests of links, by what was asked for (content, page) and outcome: found, missing, or limited after too many misses.',
    labels: ['what', 'outcome'],
  })
  return {
    created: (kind, by) => created.add({ kind, by }),
    revoked: () => revoked.add({}),
    cleaned: (count) => (count > 0 ? cleaned.add({}, count) : undefined),
    opened: (what, outcome) => opened.add({ what, outcome }),
  }
}
