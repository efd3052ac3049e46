import { Mark } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { t } from '../common/texts.js'

const steps = ['step_channel', 'step_connection', 'step_try'] as const

/** Where in the three steps the person is. */
export function Progress(props: { readonly at: number }): JSX.Element {
  return (
    <ol class="channels-progress" aria-label={t('steps')}>
      <For each={steps}>
        {(step, index) => (
          <li aria-current={index() === props.at ? 'step' : undefined}>
            <Mark name={index() < props.at ? 'done' : index() === props.at ? 'next' : 'off'} />
            {t(step)}
            <Show when={index() < props.at}>
              <span class="sr">{t('step_done')}</span>
            </Show>
          </li>
        )}
      </For>
    </ol>
  )
}
