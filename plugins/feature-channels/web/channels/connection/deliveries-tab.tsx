import { Button, EmptyState, type QueryPage as Page, PagedRows, SelectField } from '@agent-service/sdk/web'
import { createSignal, type JSX } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import type { ChannelApi, Connection, Delivery } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { DeliveryRow } from './delivery-row.js'

const filters = ['all', 'waiting', 'sent', 'unknown', 'failed'] as const
type Filter = (typeof filters)[number]

const pageSize = 50
/** Pages that are read in one go to find what a filter lets through. */
const maxPages = 20

/** What was sent, newest first, and how that went. What has arrived is no event: it is read again on request. */
export function DeliveriesTab(props: { readonly channels: ChannelApi; readonly connection: Connection }): JSX.Element {
  const [filter, setFilter] = createSignal<Filter>('all')
  const list = createPagedQuery<Delivery>({
    key: () => ['sent', props.connection.id, filter()],
    read: (cursor, signal) => find(props.channels, props.connection.id, { filter: filter(), cursor, signal }),
    idOf: ({ id }) => id,
  })
  return (
    <>
      <div class="channels-filter">
        <SelectField
          label={t('filter')}
          value={filter()}
          onInput={setFilter}
          choices={filters.map((value) => ({ value, label: t(`filter_${value}`) }))}
        />
        <Button size="small" icon="refresh" busy={list.state() === 'loading'} onClick={() => void list.reload()}>
          {t('read_again')}
        </Button>
      </div>
      <PagedRows
        list={list}
        label={t('sent')}
        empty={
          <EmptyState
            title={t('sent_none')}
            text={t(filter() === 'all' ? 'sent_none_text' : list.hasMore() ? 'sent_none_newest' : 'sent_none_such')}
          >
            {list.hasMore() && (
              <Button size="small" onClick={() => void list.more()}>
                {t('look_on')}
              </Button>
            )}
          </EmptyState>
        }
      >
        {(delivery) => (
          <DeliveryRow
            delivery={delivery}
            isShared={props.channels.isShared}
            onResend={async () => list.put(await props.channels.resend(props.connection.id, delivery.id))}
          />
        )}
      </PagedRows>
    </>
  )
}

/** The service lists all of them: pages are read until some are there that the filter lets through. */
async function find(
  channels: ChannelApi,
  id: string,
  { filter, cursor, signal }: { readonly filter: Filter; readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<Delivery>> {
  const items: Delivery[] = []
  let next = cursor
  for (let read = 0; read < maxPages; read += 1) {
    const page = await channels.deliveries(id, { limit: pageSize, ...(next !== undefined && { cursor: next }) }, signal)
    items.push(...page.items.filter(({ state }) => isOf(filter, state)))
    if (page.next_cursor === null) return { items, next_cursor: null }
    next = page.next_cursor
    if (items.length > 0) break
  }
  return { items, next_cursor: next ?? null }
}

function isOf(filter: Filter, state: Delivery['state']): boolean {
  if (filter === 'all') return true
  return filter === 'waiting' ? state === 'queued' || state === 'sending' : state === filter
}
