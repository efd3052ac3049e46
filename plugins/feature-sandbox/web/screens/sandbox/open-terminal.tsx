import { Button, createLoaded, Dialog, Failure, navigate, SelectField, Skeleton } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { runnableAgents } from './agents.js'
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
  const agents = createLoaded(runnableAgents)
  const [chosen, setChosen] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const agentId = (): string | undefined => chosen() ?? agents.value()?.[0]?.id
  const open = async (): Promise<void> => {
    const id = agentId()
    if (id === undefined || busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const opened = await api.post('/api/sandbox/terminals', { body: { agent_id: id, columns: 80, rows: 24 } })
      props.onClose()
      await navigate(`/sandbox/terminals/${opened.id}`)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('open_terminal')} onClose={props.onClose}>
      <p>{t('open_terminal_text')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void open()
        }}
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
              onInput={setChosen}
              choices={found().map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Show>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {t('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()} disabled={agentId() === undefined}>
            {busy() ? t('opening') : t('open')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
