import '../../usage/usage.css'
import { Button, EmptyState, Page, saveText } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { csvOf } from '../../usage/csv.js'
import { LoadedUsage, PeriodChoice } from '../../usage/loaded-usage.js'
import { type Period, readUsage, type Usage } from '../../usage/read-usage.js'
import { agentRows, Budget, fileName } from '../../usage/report.js'
import { t } from '../../usage/texts.js'

/** What the person's model calls used and cost. */
export default function UsageScreen(): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createQuery({ key: () => ['usage', 'own', period()], read: (signal) => readUsage(period(), signal) })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <PeriodChoice value={period()} onInput={setPeriod} />
          <Button icon="download" disabled={usage.value() === undefined} onClick={() => download(usage.value())}>
            {t('csv')}
          </Button>
        </>
      }
    >
      <LoadedUsage
        usage={usage}
        empty={
          <>
            <Budget usage={usage.value()} />
            <EmptyState title={t('empty')} text={t('empty_text')} />
          </>
        }
        owners={(found) => ({ title: t('by_agent'), head: t('agent'), rows: agentRows(found) })}
      />
    </Page>
  )
}

function download(usage: Usage | undefined): void {
  if (usage) saveText(fileName('usage', usage), csvOf(usage, 'others'), 'text/csv')
}
