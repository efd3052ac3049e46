import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { LoadedOntologies } from './ontology/load-ontologies.js'
import type { Stage } from './store/pass-records.js'

/** What is counted. */
export interface PkmMetrics {
  observe(stage: Stage, outcome: 'done' | 'failed' | 'reset'): void
}

export function createPkmMetrics(metrics: Metrics, { files, problems }: Pick<LoadedOntologies, 'files' | 'problems'>): PkmMetrics {
  const stages = metrics.counter({
    name: 'memory_consolidation_stages_total',
    help: 'Stages of consolidation passes, by their outcome; a reset begins again after extraction.',
    labels: ['stage', 'outcome'],
  })
  metrics.gauge({
    name: 'memory_ontology_files',
    help: 'Files of ontologies, by whether they are used.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'used' }, value: files.length },
      { labels: { state: 'broken' }, value: problems.length },
    ],
  })
  return { observe: (stage, outcome) => stages.add({ stage, outcome }) }
}
