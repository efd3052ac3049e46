import { createSignal, type JSX, Match, Switch } from 'solid-js'
import { loadPart } from '../../../core/load-part.js'
import type { Formula, formulaOf } from './formulas.js'
import { t } from './texts.js'

const [make, setMake] = createSignal<typeof formulaOf>()

/**
 * A formula; what makes formulas is loaded with the first. Its source is shown until then, while it
 * is being written, and for good if it is wrong, with the reason in its title.
 */
export function Maths(props: { readonly source: string; readonly isDisplay: boolean; readonly open: boolean }): JSX.Element {
  if (!make())
    loadPart(() => import('./formulas.js')).then(
      (part) => void setMake(() => part.formulaOf),
      // The source can be read as well; the next formula asks again.
      () => undefined,
    )
  const formula = (): Formula | undefined => (props.open ? undefined : make()?.(props.source, props.isDisplay))
  const marks = (): string => (props.isDisplay ? '$$' : '$')
  return (
    <span
      class="maths"
      classList={{ 'maths-display': props.isDisplay }}
      translate="no"
      // It scrolls where it is wider than the column.
      tabindex={props.isDisplay ? 0 : undefined}
    >
      <Switch fallback={<code>{props.source}</code>}>
        <Match when={reasonOf(formula())}>
          {(reason) => (
            <code class="maths-wrong" title={t('wrong', { reason: reason() })}>
              {props.source}
            </code>
          )}
        </Match>
        <Match when={mathOf(formula())}>
          {(math) => (
            <>
              {math()}
              {/* What a selection of the formula has. */}
              <span class="maths-source" aria-hidden="true">
                {`${marks()}${props.source}${marks()}`}
              </span>
            </>
          )}
        </Match>
      </Switch>
    </span>
  )
}

const reasonOf = (formula: Formula | undefined): string | undefined => (formula && 'reason' in formula ? formula.reason : undefined)
const mathOf = (formula: Formula | undefined): Node | undefined => (formula && 'math' in formula ? formula.math : undefined)
