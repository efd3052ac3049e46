import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { SetUpProgress } from './set-up-progress.js'

/** The step of the console itself. */
const ownStep = 'registration'

/** The steps of the set-up that there are now: the console's own, and the panels in the group `set_up` by their ids. */
export const setUpSteps = (contributions: Pick<Contributions, 'list'>): readonly string[] => [
  ownStep,
  ...contributions
    .list(consolePanels)
    .filter(({ value }) => value.group === 'set_up')
    .map(({ key }) => key),
]

/** The progress of the steps that there are now; those that nothing is noted of are open. */
export const progressOf = (names: readonly string[], { steps, connection }: SetUpProgress): SetUpProgress => ({
  steps: Object.fromEntries(names.map((name) => [name, (Object.hasOwn(steps, name) ? steps[name] : undefined) ?? 'open'])),
  connection,
})
