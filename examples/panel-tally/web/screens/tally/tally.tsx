import { Button, confirmAction, createAction, EmptyState, Failure, KeyedRows, Page, Skeleton, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import type { Counter } from './api.js'
import { CounterDialog } from './counter-dialog.js'
import { CounterRow } from './counter-row.js'
import { counters, countUp, removeCounter } from './counters.js'
import { t } from './texts.js'
import './tally.css'

/** What the person counts. */
export default function Tally(): JSX.Element {
  const [asked, setAsked] = createSignal<{ readonly counter?: Counter }>()
  onMount(() => void counters.read())
  // Counting one goes on while another is counted.
  const doing = createAction((work: () => Promise<unknown>) => work(), { concurrent: true })
  const remove = async (counter: Counter): Promise<void> => {
    const { name } = counter
    const question = { title: t('delete_title', { name }), text: t('delete_text'), action: t('delete_action', { name }) }
    if (!(await confirmAction(question))) return
    await doing.run(async () => {
      await removeCounter(counter)
      showToast(t('deleted', { name }))
    })
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAsked({})}>
          {t('add')}
        </Button>
      }
    >
      <Show when={doing.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Switch>
        <Match when={counters.error()}>{(error) => <Failure error={error()} onRetry={() => void counters.read()} />}</Match>
        <Match when={!counters.isRead()}>
          <Skeleton />
        </Match>
        <Match when={counters.value().length === 0}>
          <EmptyState title={t('empty')} text={t('empty_text')} />
        </Match>
      </Switch>
      <Show when={counters.value().length > 0}>
        <KeyedRows items={new Map(counters.value().map((counter) => [counter.id, counter]))} label={t('title')}>
          {(counter) => (
            <CounterRow
              counter={counter()}
              onCount={() => void doing.run(() => countUp(counter()))}
              onRename={() => setAsked({ counter: counter() })}
              onDelete={() => void remove(counter())}
            />
          )}
        </KeyedRows>
      </Show>
      <Show when={asked()} keyed>
        {({ counter }) => <CounterDialog counter={counter} onClose={() => setAsked(undefined)} />}
      </Show>
    </Page>
  )
}
