import '../../usage/usage.css'
import { Button, EmptyState, MenuButton, Page, saveText, whileVisible } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { csvOf, sumsAsCsv } from '../../usage/csv.js'
import { LoadedUsage, PeriodChoice } from '../../usage/loaded-usage.js'
import { type Period, readUsage, type Usage, usageOfAll } from '../../usage/read-usage.js'
import { fileName, type OwnerRow } from '../../usage/report.js'
import { t } from './texts.js'

const everyMs = 60_000

/** What the model calls of all users used and cost, for administrators. */
export default function AdminUsage(): JSX.Element {
  const [period, setPeriod] = createSignal<Period>('30')
  const usage = createQuery({ key: () => ['usage', 'all', period()], read: (signal) => readUsage(period(), signal, usageOfAll) })
  whileVisible(everyMs, () => void usage.reload())
  const save = (name: string, text: (usage: Usage) => string): void => {
    const found = usage.value()
    if (found) saveText(fileName(name, found), text(found), 'text/csv')
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <PeriodChoice value={period()} onInput={setPeriod} />
          <MenuButton
            name={t('export')}
            items={[
              { label: t('csv_users'), icon: 'users', run: () => save('usage-by-user', (found) => sumsAsCsv('user', userRows(found))) },
              { label: t('csv_days'), icon: 'calendar', run: () => save('usage-by-day', (found) => csvOf(found, 'others')) },
            ]}
            button={(open) => (
              <Button icon="download" disabled={usage.value() === undefined} onClick={open}>
                {t('export')}
              </Button>
            )}
          />
        </>
      }
    >
      <LoadedUsage
        usage={usage}
        empty={<EmptyState title={t('empty')} text={t('empty_text')} />}
        owners={(found) => ({ title: t('by_user'), head: t('user'), rows: userRows(found) })}
      />
    </Page>
  )
}

/** The sums by user; those of deleted accounts have only their id. */
const userRows = ({ owners }: Usage): readonly OwnerRow[] =>
  owners.map(({ id, name, sum }) => ({ name: name ?? id, sum, ...(name !== undefined && { href: `/admin/users/${id}` }) }))
