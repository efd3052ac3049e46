import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { Mark } from '../../ui/mark.js'
import { knownModels } from './send/choices.js'
import { t } from './texts.js'

/** From when on a person is told what is waited for, in seconds. */
const patience = 5

/** What an answer without a first word waits for, and for how long already. `group`: the model group that is asked. */
export function WaitingNote(props: { readonly group: string | undefined }): JSX.Element {
  const since = Date.now()
  const [seconds, setSeconds] = createSignal(0)
  const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1_000)), 1_000)
  onCleanup(() => clearInterval(timer))
  const model = (): string => knownModels().find(({ name }) => name === props.group)?.model ?? props.group ?? t('the_model')
  return (
    <Show when={seconds() >= patience}>
      <div class="step">
        <Mark name="think" />
        <span class="t2 small num">{t('waiting', { model: model(), seconds: String(seconds()) })}</span>
      </div>
    </Show>
  )
}
