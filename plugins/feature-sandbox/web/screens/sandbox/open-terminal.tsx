import { Button, Dialog, Failure, navigate, SelectField, Skeleton } from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { createRunnableAgents } from './agents.js'
import { t } from './texts.js'

/** Asks for the agent and opens a terminal in its workspace. */
export function OpenTerminal(): JSX.Element {
  const [asking, setAsking] = createSignal(false)
  return (
    <>
      <Button kind="main" icon="terminal-2" onClick={() => setAsking(true)}>
        {t('open_terminal')}
      </Button>
      <Show when={asking()}>
        <TerminalDialog onClose={() => setAsking(false)} />
      </Show>
    </>
  )
}

function TerminalDialog(props: { readonly onClose: () => void }): JSX.Element {
  const agents = createRunnableAgents()
  const form = createForm({
    initial: { chosen: undefined as string | undefined },
    submit: async () => {
      const id = agentId()
      if (id === undefined) return
      const opened = await api.post('/api/sandbox/terminals', { body: { agent_id: id, columns: 80, rows: 24 } })
      props.onClose()
      await navigate(`/sandbox/terminals/${opened.id}`)
    },
  })
  const agentId = (): string | undefined => form.values().chosen ?? agents.value()?.[0]?.id
  return (
    <Dialog title={t('open_terminal')} onClose={props.onClose}>
      <p>{t('open_terminal_text')}</p>
      <FormView
        form={form}
        buttons={
          <footer>
            <Button kind="quiet" onClick={() => props.onClose()}>
              {t('cancel')}
            </Button>
            <Button kind="main" type="submit" busy={form.busy()} disabled={agentId() === undefined}>
              {form.busy() ? t('opening') : t('open')}
            </Button>
          </footer>
        }
      >
        <Show
          when={agents.value()}
          fallback={
            <Show when={agents.error()} fallback={<Skeleton lines={2} />}>
              {(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}
            </Show>
          }
        >
          {(found) => (
            <SelectField
              label={t('agent')}
              value={agentId() ?? ''}
              onInput={(id) => form.set('chosen', id)}
              choices={found().map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Show>
      </FormView>
    </Dialog>
  )
}
