import { Button, createAction, Dialog, Failure, SelectField, showToast, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { t } from './texts.js'

/** Asks whose sign-ins are forgotten, and forgets them. */
export function ForgetDialog(props: { readonly onClose: () => void; readonly onForgotten: () => void }): JSX.Element {
  const agents = createQuery({ key: () => ['agents'], read: (signal) => api.get('/api/agents', { query: { limit: 100 }, signal }) })
  const [agentId, setAgentId] = createSignal('')
  let quiet: HTMLButtonElement | undefined
  onMount(() => quiet?.focus())
  const forget = createAction(async () => {
    await api.delete('/api/browser/profile', { query: agentId() === '' ? {} : { agent_id: agentId() } })
    showToast(t('forgotten'))
    props.onClose()
    props.onForgotten()
  })
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
        <Show when={forget.failure() ?? agents.error()}>{(error) => <Failure error={error()} />}</Show>
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
          <Button kind="confirm" busy={forget.busy()} onClick={() => void forget.run()}>
            {forget.busy() ? t('forgetting') : t('forget_action')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
