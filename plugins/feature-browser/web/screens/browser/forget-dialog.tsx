import { Button, createLoaded, Dialog, Failure, SelectField, showToast, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** Asks whose sign-ins are forgotten, and forgets them. */
export function ForgetDialog(props: { readonly onClose: () => void; readonly onForgotten: () => void }): JSX.Element {
  const agents = createLoaded((signal) => api.get('/api/agents', { query: { limit: 100 }, signal }))
  const [agentId, setAgentId] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  let quiet: HTMLButtonElement | undefined
  onMount(() => quiet?.focus())
  const forget = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api.delete('/api/browser/profile', { query: agentId() === '' ? {} : { agent_id: agentId() } })
      showToast(t('forgotten'))
      props.onClose()
      props.onForgotten()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('forget_question')} onClose={props.onClose}>
      <div class="body">
        <p class="browser-dialog-text">{t('forget_text')}</p>
        <SelectField
          label={t('whose')}
          value={agentId()}
          onInput={setAgentId}
          choices={[
            { value: '', label: t('all_agents') },
            ...(agents.value()?.items ?? []).map(({ id, handle }) => ({ value: id, label: handle })),
          ]}
        />
        <Show when={failure() ?? agents.error()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button
            kind="quiet"
            ref={(element) => {
              quiet = element
            }}
            onClick={() => props.onClose()}
          >
            {ui('cancel')}
          </Button>
          <Button kind="confirm" busy={busy()} onClick={() => void forget()}>
            {busy() ? t('forgetting') : t('forget_action')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
