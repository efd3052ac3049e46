import './usage.css'
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { onEvent } from '../../api/events.js'
import { createLoaded } from '../../api/loaded.js'
import { saveText } from '../../core/csv.js'
import { Button } from '../../ui/button.js'
import { Page } from '../../ui/page.js'
import { EmptyState, Failure, Skeleton } from '../../ui/states.js'
import { Segments } from '../../ui/tabs.js'
import { csvOf } from './csv.js'
import { type Period, periods, readUsage, type Usage } from './read-usage.js'
import { agentRows, Budget, fileName, Report } from './report.js'
import { t } from './texts.js'

const reloadPauseMs = 1_000

/** What the person's model calls used and cost. */
export default function UsageScreen(): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createLoaded((signal) => readUsage(period(), signal))
  let timer: ReturnType<typeof setTimeout> | undefined
  const reloadSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void usage.reload(), reloadPauseMs)
  }
  onCleanup(onEvent('usage.recorded', reloadSoon))
  onCleanup(onEvent('run.failed', reloadSoon))
  onCleanup(onEvent('reset', reloadSoon))
  onCleanup(() => clearTimeout(timer))
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Segments
            label={t('period')}
            value={period()}
            onInput={setPeriod}
            choices={periods.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
          />
          <Button icon="download" disabled={usage.value() === undefined} onClick={() => download(usage.value())}>
            {t('csv')}
          </Button>
        </>
      }
    >
      <Show when={usage.error()}>{(error) => <Failure error={error()} onRetry={() => void usage.reload()} />}</Show>
      <Switch fallback={<Show when={usage.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        <Match when={usage.value()?.calls === 0}>
          <Budget usage={usage.value()} />
          <EmptyState title={t('empty')} text={t('empty_text')} />
        </Match>
        <Match when={usage.value()}>
          {(found) => <Report usage={found()} owners={{ title: t('by_agent'), head: t('agent'), rows: agentRows(found()) }} />}
        </Match>
      </Switch>
    </Page>
  )
}

function download(usage: Usage | undefined): void {
  if (usage) saveText(fileName('usage', usage), csvOf(usage, 'others'), 'text/csv')
}
