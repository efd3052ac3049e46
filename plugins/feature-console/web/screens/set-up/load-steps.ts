import type { SetUpStep } from '../../app/set-up-step.js'
import { loadPart } from '../../core/load-part.js'

const modules = import.meta.glob<{ readonly default: SetUpStep }>('../*/set-up-step.ts*')

/** The steps that features add, in their order. */
export async function loadSteps(): Promise<readonly SetUpStep[]> {
  const loaded = await Promise.all(Object.values(modules).map((load) => loadPart(load)))
  return loaded.map((module) => module.default).sort((one, other) => one.order - other.order)
}
