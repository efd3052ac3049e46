import '../../usage/usage.css'
import './user-tab.css'
import { Button, defineUserTab, EmptyState, saveText, textOf, type UserTabProps } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { csvOf } from '../../usage/csv.js'
import { LoadedUsage, PeriodChoice } from '../../usage/loaded-usage.js'
import { type Period, readUsage, usageOfUser } from '../../usage/read-usage.js'
import { fileName } from '../../usage/report.js'
import { t as usageText } from '../../usage/texts.js'
import { BudgetForm } from './budget-form.js'
import { t } from './user-tab-texts.js'

const title = { en: 'Usage', de: 'Verbrauch' }

/** What an account may spend, and what it has used. */
export default defineUserTab({ name: 'usage', order: 30, title, View: UsageOfUser })

function UsageOfUser(props: UserTabProps): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createQuery({
    key: () => ['usage', 'user', props.userId, period()],
    read: (signal) => readUsage(period(), signal, usageOfUser(props.userId)),
  })
  const user = createQuery({
    key: () => ['user', props.userId],
    read: (signal) => api.get('/api/admin/users/{user_id}', { path: { user_id: props.userId }, signal }),
  })
  const save = (): void => {
    const found = usage.value()
    if (found) saveText(fileName(`usage-${user.value()?.username ?? props.userId}`, found), csvOf(found, 'others'), 'text/csv')
  }
  return (
    <>
      <BudgetForm userId={props.userId} />
      <header class="usage-user-head">
        <h2 class="h3">{textOf(title)}</h2>
        <span class="row usage-user-tools">
          <PeriodChoice value={period()} onInput={setPeriod} />
          <Button icon="download" disabled={usage.value() === undefined} onClick={save}>
            {usageText('csv')}
          </Button>
        </span>
      </header>
      <LoadedUsage usage={usage} empty={<EmptyState title={usageText('empty')} text={t('empty_text')} />} />
    </>
  )
}
