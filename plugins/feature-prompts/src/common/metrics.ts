import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of prompts. */
export interface PromptMetrics {
  used(isOwn: boolean): void
}

export function createPromptMetrics(metrics: Metrics): PromptMetrics {
  const used = metrics.counter({
    name: 'prompts_used_total',
    labels: ['whose'],
    help: 'Saved prompts that were put into a message, by whose they are: own or shared.',
  })
  return { used: (isOwn) => used.add({ whose: isOwn ? 'own' : 'shared' }) }
}
