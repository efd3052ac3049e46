import { Button, bytesText, EmptyState, Failure, LogTail, Mark, PagedRows, Skeleton } from '@agent-service/sdk/web'
import type { JSX } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import { Kit } from './kit.js'
import { t } from './texts.js'

const chats = ['Weekly report, week 47', 'Compare three invoice scanners', 'Why is the build slow on Fridays?'].map((title, index) => ({
  id: String(index),
  title,
}))
const files = [
  { name: 'retention-policy.pdf', bytes: 212_000 },
  { name: 'backup.service', bytes: 840 },
]
const lines = Array.from({ length: 40 }, (_, index) => `02:${String(14 + index).padStart(2, '0')}:07 copied archive ${index + 1} of 40`)

/** Lists, tables, logs, and what stands in their place. */
export function Lists(): JSX.Element {
  const list = createPagedQuery({
    key: () => ['components'],
    read: async () => ({ items: chats, next_cursor: null }),
    idOf: ({ id }) => id,
  })
  return (
    <>
      <Kit title={t('list')}>
        <PagedRows list={list} label="Chats" empty={<EmptyState title="No chats yet" text="Ask an agent for something." />}>
          {(chat) => (
            <a class="item" href="/components">
              <Mark name="done" label="Done" />
              <span class="grow">
                <span class="cut">{chat.title}</span>
                <span class="sub cut">Sent to 6 people</span>
              </span>
              <span class="meta">yesterday</span>
            </a>
          )}
        </PagedRows>
      </Kit>
      <Kit title={t('table')}>
        <div class="table-wrap">
          <table class="tbl">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="r">
                  Size
                </th>
              </tr>
            </thead>
            <tbody>
              {files.map((file) => (
                <tr>
                  <td>
                    <bdi>{file.name}</bdi>
                  </td>
                  <td class="r">{bytesText(file.bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Kit>
      <Kit title={t('log')}>
        <LogTail label="backup run --all" lines={lines} />
      </Kit>
      <Kit title={t('skeleton')}>
        <Skeleton />
      </Kit>
      <Kit title={t('empty')}>
        <EmptyState
          title="No schedules yet"
          text="A schedule lets an agent work while you are away, for example a report every Monday at 08:00."
        >
          <Button icon="plus">New schedule</Button>
        </EmptyState>
        <Failure error={new Error('The file changed since you opened it. Compare and save again.')} onRetry={() => undefined} />
      </Kit>
    </>
  )
}
