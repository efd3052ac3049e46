import { Mark, type MarkName, type StepState, textOf } from '@agent-service/sdk/web'
import { For, type JSX } from 'solid-js'
import type { FoundStep } from './read-set-up.js'
import { t } from './texts.js'

const marks: Readonly<Record<StepState, MarkName>> = { open: 'off', done: 'done', skipped: 'pause' }

/** The account, which is there, and the steps after it, each with its state and the way to it. */
export function StepList(props: { readonly steps: readonly FoundStep[]; readonly current: string }): JSX.Element {
  return (
    <nav class="set-up-nav" aria-label={t('title')}>
      <ol class="steps">
        <li>
          <Mark name="done" label={t('state_done')} />
          <span>
            <b>{t('step_account')}</b>
            <span class="small t3">{t('state_done')}</span>
          </span>
        </li>
        <For each={props.steps}>
          {({ name, step, state }) => (
            <li aria-current={props.current === name ? 'step' : undefined}>
              <Mark name={props.current === name ? 'next' : marks[state]} label={t(`state_${state}`)} />
              <a href={`/set-up?step=${name}`}>
                <b>{textOf(step.title)}</b>
                <span class="small t3">{t(`state_${state}`)}</span>
              </a>
            </li>
          )}
        </For>
      </ol>
      <p class="small t3 set-up-note">{t('note')}</p>
    </nav>
  )
}
