import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { SkillSource } from '../catalogue/catalogue.js'

/** What is measured of skills. */
export interface SkillMetrics {
  /** An agent read a file of a skill. */
  read(source: SkillSource): void
  /** A skill was installed, updated, created, edited or removed, or refused. */
  changed(change: string): void
}

export function createSkillMetrics(metrics: Metrics): SkillMetrics {
  const reads = metrics.counter({
    name: 'skill_reads_total',
    help: 'Files of skills that agents read, by the source of the skill: bundled, shared, user or agent.',
    labels: ['source'],
  })
  const changes = metrics.counter({
    name: 'skill_changes_total',
    help: 'Changes of skills, by kind: installed, created, edited, removed or refused.',
    labels: ['change'],
  })
  return { read: (source) => reads.add({ source }), changed: (change) => changes.add({ change }) }
}
