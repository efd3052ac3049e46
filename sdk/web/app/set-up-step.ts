import type { JSX } from 'solid-js'
import type { Configuration } from '../api/configuration.js'
import type { Text } from '../i18n/messages.js'

/** What the service has noted of a step. */
export type StepState = 'open' | 'done' | 'skipped'

/** What is known before a step reads more. */
export interface KnownSetUp {
  /** What is saved and in effect. */
  readonly configuration: Configuration
  /** What the service has noted of this step. */
  readonly noted: StepState
  /** Aborted when the page is left. */
  readonly signal: AbortSignal
}

/** How a step stands on this installation. */
export interface ReadStep<Found> {
  /** What is configured counts, also where nothing is noted. */
  readonly isDone: boolean
  /** What the service cannot do until the step is done, in a sentence. The end of the set-up says it. */
  readonly lacks?: Text | undefined
  /** What the view shows. */
  readonly found: Found
}

/** What the view of a step gets. */
export interface SetUpStepProps<Found> {
  /** What `read` found. */
  readonly found: Found
  /** Notes that the step is done, and goes on: to the next step, or to another place of the console. Rejects if that could not be noted. */
  readonly onDone: (place?: string) => Promise<void>
  /** Reads everything again, and goes to the next step. */
  readonly onNext: () => Promise<void>
  /** The button that leaves the step for later. It stands beside the main one. */
  readonly skip: JSX.Element
}

/**
 * A step of the set-up after the first account, for administrators: the default export of a panel in the
 * group `set_up`. The service keeps its state under the id of the panel, and addresses have it.
 */
export interface SetUpStep<Found = unknown> {
  /** Among the steps, from low to high. */
  readonly order: number
  /** In the list of steps. */
  readonly title: Text
  /** Above the step. */
  readonly heading: Text
  /** What the step is for, below its heading. */
  readonly lead: Text
  /** Read at the start, and after each step. Undefined: there is nothing to ask on this installation. */
  read(known: KnownSetUp): Promise<ReadStep<Found> | undefined>
  /** The component of the step, below its heading. The console has the way back and the list of steps. */
  View(props: SetUpStepProps<Found>): JSX.Element
}

/**
 * Declares a step, in `web/screens/<name>/set-up-step.tsx`.
 *
 * @example
 * export default defineSetUpStep<{ readonly sides: number }>({
 *   order: 70,
 *   title: { en: 'Dice', de: 'Würfel' },
 *   heading: { en: 'Which dice are there?', de: 'Welche Würfel gibt es?' },
 *   lead: { en: 'Agents throw these.', de: 'Diese werfen die Agenten.' },
 *   async read({ noted, signal }) {
 *     const { sides } = await api.get('/api/plugins/tool-dice/rules', { signal })
 *     return { isDone: noted === 'done', found: { sides } }
 *   },
 *   View: (props) => (
 *     <div class="row">
 *       <Button kind="main" onClick={() => void props.onDone()}>
 *         {t('keep', { count: props.found.sides })}
 *       </Button>
 *       {props.skip}
 *     </div>
 *   ),
 * })
 */
export const defineSetUpStep = <Found>(step: SetUpStep<Found>): SetUpStep<Found> => step
