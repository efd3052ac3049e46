import type { ReadStep, StepState } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { api } from '../../api/index.js'
import { loadSteps, type NamedStep } from './load-steps.js'

/** A step that there is on this installation, with how it stands. */
export interface FoundStep extends NamedStep, ReadStep<unknown> {
  readonly state: StepState
}

/** How far the installation is, from what is configured and from what the service keeps. */
export interface SetUp {
  readonly configuration: Configuration
  /** In their order. */
  readonly steps: readonly FoundStep[]
}

export async function readSetUp(signal: AbortSignal): Promise<SetUp> {
  const [steps, configuration, progress] = await Promise.all([
    loadSteps(),
    api.get('/api/admin/config', { signal }),
    api.get('/api/admin/set-up', { signal }),
  ])
  const states = new Map(Object.entries(progress.steps))
  const read = async ({ name, step }: NamedStep): Promise<readonly FoundStep[]> => {
    const noted = states.get(name) ?? 'open'
    const found = await step.read({ configuration, noted, signal })
    return found ? [{ ...found, name, step, state: found.isDone ? 'done' : noted === 'skipped' ? 'skipped' : 'open' }] : []
  }
  return { configuration, steps: (await Promise.all(steps.map(read))).flat() }
}
