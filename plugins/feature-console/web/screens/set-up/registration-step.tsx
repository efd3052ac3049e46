import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { saveConfiguration } from '../../app/save-configuration.js'
import { Button } from '../../ui/button.js'
import { Failure } from '../../ui/states.js'
import type { StepProps } from './set-up.js'
import { StepFrame } from './step-frame.js'
import { t } from './texts.js'

/** What each answer writes into the configuration file. */
const answers = {
  invited: { 'auth.allow_registration': false },
  approval: { 'auth.allow_registration': true, 'auth.registration_approval': true },
  open: { 'auth.allow_registration': true, 'auth.registration_approval': false },
} as const
type Answer = keyof typeof answers
const order: readonly Answer[] = ['invited', 'approval', 'open']

/** Asks who may make an account. Until somebody has answered, people who sign up wait for an admin. */
export function RegistrationStep(props: StepProps): JSX.Element {
  const [chosen, setChosen] = createSignal<Answer>('invited')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      if (!(await saveConfiguration({ set: answers[chosen()] }))) return
      await api.patch('/api/admin/set-up', { body: { registration: 'done' } })
      await props.onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <StepFrame title={t('registration_title')} lead={t('registration_lead')}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <fieldset>
          <legend class="sr">{t('registration_title')}</legend>
          <div class="set-up-options">
            <For each={order}>
              {(answer) => (
                <label>
                  <input type="radio" name="registration" checked={answer === chosen()} onChange={() => setChosen(answer)} />
                  <span class="providers-facts">
                    <b>{t(`registration_${answer}`)}</b>
                    <span class="small t2">{t(`registration_${answer}_text`)}</span>
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
