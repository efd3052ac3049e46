import '../usage/usage.css'
import { createSignal, type JSX } from 'solid-js'
import { createLoaded } from '../../api/loaded.js'
import { saveText } from '../../core/csv.js'
import { Button } from '../../ui/button.js'
import { EmptyState } from '../../ui/states.js'
import { csvOf } from '../usage/csv.js'
import { LoadedUsage, PeriodChoice } from '../usage/loaded-usage.js'
import { type Period, readUsage, usageOfUser } from '../usage/read-usage.js'
import { fileName } from '../usage/report.js'
import { t as usageText } from '../usage/texts.js'
import { BudgetForm } from './budget-form.js'
import { t } from './texts.js'
import type { TabProps } from './user.js'

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
          <PeriodChoice value={period()} onInput={setPeriod} />
          <Button icon="download" disabled={usage.value() === undefined} onClick={save}>
            {usageText('csv')}
          </Button>
        </span>
      </header>
      <LoadedUsage usage={usage} empty={<EmptyState title={usageText('empty')} text={t('no_usage_text')} />} />
    </>
  )
}
