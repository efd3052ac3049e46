import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { membersOf } from '../../api/configuration.js'
import { saveConfiguration } from '../../app/save-configuration.js'
import { Button } from '../../ui/button.js'
import { Failure } from '../../ui/states.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

/** Chooses the memory back end, where more than one is installed. */
export function MemoryStep(props: StepProps): JSX.Element {
  const configured = (): unknown => {
    const { saved, values } = props.found.found.configuration
    return membersOf(saved['memory'])['backend'] ?? membersOf(values['memory'])['backend']
  }
  const [chosen, setChosen] = createSignal(
    props.found.backends.find(({ value }) => value === configured())?.value ?? props.found.backends[0]?.value ?? '',
  )
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const save = async (): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      if (!(await saveConfiguration({ set: { 'memory.backend': chosen() } }))) return
      await api.patch('/api/admin/set-up', { body: { memory: 'done' } })
      await props.onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <StepFrame title={t('memory_title')} lead={t('memory_lead')}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <fieldset>
          <legend class="lbl">{t('memory_backend')}</legend>
          <div class="set-up-options">
            <For each={props.found.backends}>
              {(backend) => (
                <label>
                  <input type="radio" name="backend" checked={backend.value === chosen()} onChange={() => setChosen(backend.value)} />
                  <span class="providers-facts">
                    <b>{backend.title}</b>
                    <span class="small t2" lang={backend.isForeign ? 'en' : undefined}>
                      {backend.text}
                    </span>
                  </span>
                </label>
              )}
            </For>
          </div>
        </fieldset>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <div class="form-foot">
          <Button kind="main" type="submit" busy={busy()}>
            {t('save_and_continue')}
          </Button>
          <Button kind="quiet" onClick={() => props.onSkip()}>
            {t('skip')}
          </Button>
        </div>
      </form>
    </StepFrame>
  )
}
