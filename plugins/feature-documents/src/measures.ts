import type { Metrics } from '@agent-service/sdk/services/metrics'
import { type DocumentKind, kindByMediaType } from './kinds.js'

/** What the metrics show of documents. */
export interface Measures {
  read(mediaType: string, outcome: string): void
  /** `kind`: as far as name and statement tell it. */
  failed(kind: DocumentKind | undefined, outcome: string): void
}

export function createMeasures(metrics: Metrics): Measures {
  const documents = metrics.counter({
    name: 'documents_read_total',
    help: 'Documents that became text, by their type and what became of them.',
    labels: ['type', 'outcome'],
  })
  return {
    read: (mediaType, outcome) => documents.add({ type: kindByMediaType(mediaType) ?? 'other', outcome }),
    failed: (kind, outcome) => documents.add({ type: kind ?? 'other', outcome }),
  }
}
