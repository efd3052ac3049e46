import type { SetUpStep } from '@agent-service/sdk/web/host'
import { loadPanelParts } from '../../app/panel-parts.js'
import registration from './registration-step.js'

/** The step of the console itself, and those that features add, in their order. */
export async function loadSteps(): Promise<readonly SetUpStep[]> {
  const steps: readonly SetUpStep[] = [registration as SetUpStep, ...(await loadPanelParts<SetUpStep>('set_up'))]
  return [...steps].sort((one, other) => one.order - other.order)
}
