import '../usage/usage.css'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { createLoaded } from '../../api/loaded.js'
import { saveText } from '../../core/csv.js'
import { Button } from '../../ui/button.js'
import { EmptyState, Failure, Skeleton } from '../../ui/states.js'
import { Segments } from '../../ui/tabs.js'
import { csvOf } from '../usage/csv.js'
import { type Period, periods, readUsage, usageOfUser } from '../usage/read-usage.js'
import { fileName, Report } from '../usage/report.js'
import { t as usageText } from '../usage/texts.js'
import { BudgetForm } from './budget-form.js'
import { t } from './texts.js'
import type { TabProps } from './user-page.js'

/** What an account may spend, and what it has used. */
export function UsageTab(props: TabProps): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createLoaded((signal) => readUsage(period(), signal, usageOfUser(props.user.id)))
  const save = (): void => {
    const found = usage.value()
    if (found) saveText(fileName(`usage-${props.user.username}`, found), csvOf(found, 'others'), 'text/csv')
  }
  return (
    <>
      <BudgetForm userId={props.user.id} />
      <header class="users-head">
        <h2 class="h3">{t('tab_usage')}</h2>
        <span class="row users-tools">
          <Segments
            label={usageText('period')}
            value={period()}
            onInput={setPeriod}
            choices={periods.map((value) => ({ value, label: usageText('days', { count: Number(value) }) }))}
          />
          <Button icon="download" disabled={usage.value() === undefined} onClick={save}>
            {usageText('csv')}
          </Button>
        </span>
      </header>
      <Show when={usage.error()}>{(error) => <Failure error={error()} onRetry={() => void usage.reload()} />}</Show>
      <Switch fallback={<Show when={usage.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        <Match when={usage.value()?.calls === 0}>
          <EmptyState title={usageText('empty')} text={t('no_usage_text')} />
        </Match>
        <Match when={usage.value()}>{(found) => <Report usage={found()} />}</Match>
      </Switch>
    </>
  )
}
