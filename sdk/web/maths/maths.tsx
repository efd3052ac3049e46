import { createEffect, createMemo, createSignal, type JSX, Show } from 'solid-js'
import { loadPart } from '../core/load-part.js'
import type { formulaOf } from './formulas.js'
import { t } from './texts.js'

const [make, setMake] = createSignal<typeof formulaOf>()

/** Loads what makes formulas, with the first. After a failure the next formula asks again; the source can be read as well. */
function loadFormulas(): void {
  if (make() !== undefined) return
  loadPart(() => import('./formulas.js')).then(
    (module) => void setMake(() => module.formulaOf),
    () => undefined,
  )
}

/**
 * A formula, once its source is complete. Until then, and where it is wrong, its source stands
 * there, with the reason in its title.
 */
export function Maths(props: { readonly source: string; readonly isDisplay: boolean; readonly open: boolean }): JSX.Element {
  createEffect(() => {
    if (!props.open) loadFormulas()
  })
  const made = createMemo(() => (props.open ? undefined : make()?.(props.source, props.isDisplay)))
  const math = (): readonly Node[] | undefined => {
    const formula = made()
    return formula && 'math' in formula ? formula.math : undefined
  }
  const reason = (): string | undefined => {
    const formula = made()
    return formula && 'reason' in formula ? t('wrong', { reason: formula.reason }) : undefined
  }
  const mark = (): string => (props.isDisplay ? '$$' : '$')
  return (
    <span
      class="maths"
      classList={{ 'maths-display': props.isDisplay && math() !== undefined }}
      tabindex={props.isDisplay && math() ? 0 : undefined}
      translate="no"
    >
      <Show
        when={math()}
        fallback={
          <code classList={{ 'maths-wrong': reason() !== undefined }} title={reason()}>
            {props.source}
          </code>
        }
      >
        {(formula) => (
          <>
            {formula() as Node[]}
            {/* What a selection of the formula has: its source, unseen and unread. */}
            <span class="maths-source" aria-hidden="true">
              {`${mark()}${props.source}${mark()}`}
            </span>
          </>
        )}
      </Show>
    </span>
  )
}
