import type { SetUpStep } from '@agent-service/sdk/web'
import { loadPanelParts } from '../../app/panel-parts.js'
import registration from './registration-step.js'

/** A step with the name under which the service keeps its state, and which addresses have. */
export interface NamedStep {
  readonly name: string
  readonly step: SetUpStep
}

/** The step of the console itself, and those that features add, named by their panels, in their order. */
export async function loadSteps(): Promise<readonly NamedStep[]> {
  const added = await loadPanelParts<SetUpStep>('set_up')
  const steps: readonly NamedStep[] = [
    { name: 'registration', step: registration as SetUpStep },
    ...added.map(({ id, part }) => ({ name: id, step: part })),
  ]
  return [...steps].sort((one, other) => one.step.order - other.step.order)
}
