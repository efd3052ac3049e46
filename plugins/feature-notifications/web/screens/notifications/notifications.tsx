import './notifications.css'
import { Button, createAction, EmptyState, Failure, isProblem, Page, PagedRows, type ScreenProps } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api, createPagedQuery, createQuery, onEvent, type Schemas } from '../../api/index.js'
import { kindTitles, titleOf } from './kind-titles.js'
import { NotificationRow } from './notification-row.js'
import { NotificationSettings } from './notification-settings.js'
import { t } from './texts.js'
import { noteUnread, unread } from './unread.js'

type Tab = 'all' | 'unread' | 'settings'
const tabs = ['all', 'unread', 'settings'] as const satisfies Tab[]
const addressOf = (tab: Tab): string => (tab === 'all' ? '/notifications' : `/notifications/${tab}`)

/** What the service has to say to a person: the list, live, and what they want of it. */
export default function Notifications(props: ScreenProps): JSX.Element {
  const tab = (): Tab => tabs.find((each) => each === props.params['rest']) ?? 'all'
  return (
    <Page title={t('title')} lead={t('lead')} actions={tab() === 'settings' ? undefined : <ReadAll />}>
      <nav class="tabs notifications-tabs" aria-label={t('title')}>
        <For each={tabs}>
          {(each) => (
            <a href={addressOf(each)} aria-current={tab() === each ? 'page' : undefined}>
              {t(each)}
              <Show when={each === 'unread' && unread() > 0}>
                <span class="count">{unread()}</span>
              </Show>
            </a>
          )}
        </For>
      </nav>
      <Show
        when={tab() === 'settings'}
        fallback={
          <Show when={tab()} keyed>
            {(which) => <List onlyUnread={which === 'unread'} />}
          </Show>
        }
      >
        <NotificationSettings />
      </Show>
    </Page>
  )
}

function ReadAll(): JSX.Element {
  const readAll = createAction(async () => noteUnread((await api.post('/api/notifications/read', { body: {} })).unread))
  return (
    <>
      <Show when={readAll.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Button icon="check" busy={readAll.busy()} disabled={unread() === 0} onClick={() => void readAll.run()}>
        {t('read_all')}
      </Button>
    </>
  )
}

function List(props: { readonly onlyUnread: boolean }): JSX.Element {
  const list = createPagedQuery<Schemas['Notification']>({
    key: () => ['notifications', { unread: props.onlyUnread }],
    read: (cursor, signal) =>
      api.get('/api/notifications', {
        query: { limit: 50, ...(props.onlyUnread && { unread: true }), ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: ({ id }) => id,
  })
  const kinds = createQuery({ key: () => ['preferences'], read: (signal) => api.get('/api/notifications/preferences', { signal }) })
  // In the list of unread ones, those that are read meanwhile stay until it is opened again.
  const change = (id: string, read: boolean): void => {
    const item = list.items().find((each) => each.id === id)
    if (item && item.read !== read) list.put({ ...item, read })
  }
  onCleanup(
    onEvent('notification.created', ({ data }) => {
      const { notification_id: id, kind, title, text, link, about, created_at } = data
      list.put({ id, kind, title, text, link, about, created_at, read: false, read_at: null })
    }),
  )
  onCleanup(
    onEvent('notification.updated', ({ data }) => {
      const { notification_id: id, state } = data
      if (id === null) return
      if (state === 'deleted') list.remove(id)
      else change(id, state === 'read')
    }),
  )
  const mark = async (id: string, read: boolean): Promise<void> => {
    change(id, read)
    try {
      list.put(await api.patch('/api/notifications/{notification_id}', { path: { notification_id: id }, body: { read } }))
    } catch (error) {
      if (isProblem(error, 'not_found')) list.remove(id)
      else {
        change(id, !read)
        throw error
      }
    }
  }
  const remove = async (id: string): Promise<void> => {
    await api.delete('/api/notifications/{notification_id}', { path: { notification_id: id } }).catch((error: unknown) => {
      if (!isProblem(error, 'not_found')) throw error
    })
    list.remove(id)
  }
  // Kept beside the rows: that of a notification which changes is a new one.
  const [failedAt, setFailedAt] = createSignal<string>()
  const doing = createAction(
    (id: string, work: () => Promise<void>) =>
      work().catch((error: unknown) => {
        setFailedAt(id)
        throw error
      }),
    { concurrent: true },
  )
  return (
    <PagedRows
      list={list}
      label={t('title')}
      empty={
        <EmptyState
          title={t(props.onlyUnread ? 'empty_unread' : 'empty')}
          text={t(props.onlyUnread ? 'empty_unread_text' : 'empty_text')}
        />
      }
    >
      {(item) => (
        <NotificationRow
          item={item}
          title={titleOf(item, kinds.value()?.kinds ?? [])}
          kind={kindTitles(kinds.value()?.kinds ?? []).get(item.kind) ?? ''}
          failure={failedAt() === item.id ? doing.failure() : undefined}
          onMark={(read) => void doing.run(item.id, () => mark(item.id, read))}
          onRemove={() => void doing.run(item.id, () => remove(item.id))}
        />
      )}
    </PagedRows>
  )
}
