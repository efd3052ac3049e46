import './home.css'
import { EmptyState, Mark, PagedRows, whenText } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { NewChat } from '../../composer/new-chat.js'
import { AskedCall } from '../../turns/asked/asked-call.js'
import { Ideas } from './ideas.js'
import { Missing } from './missing.js'
import { TemporarySwitch } from './temporary-switch.js'
import { t } from './texts.js'

type Chat = Schemas['Chat']
type Waiting = Schemas['ApprovalOrQuestion']

/** The start page: a question to ask, what runs, and what happened last, live. */
export default function Home(): JSX.Element {
  const chats = createPagedQuery<Chat>({
    key: () => ['chats', 'recent'],
    read: (cursor, signal) => api.get('/api/chats', { query: { limit: 20, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (chat) => chat.id,
  })
  const waiting = createPagedQuery<Waiting>({
    key: () => ['approvals'],
    read: (cursor, signal) =>
      api.get('/api/approvals', { query: { status: 'pending', limit: 20, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (call) => call.call_id,
  })
  const pending = waiting.items
  const running = (): readonly Chat[] => chats.items().filter((chat) => chat.active_run_id !== null)
  const resting = (): readonly Chat[] => chats.items().filter((chat) => chat.active_run_id === null)
  return (
    <div class="home">
      <h1 tabindex="-1">{t('question')}</h1>
      <Missing />
      <NewChat
        below={(field) => (
          <>
            <TemporarySwitch />
            <Ideas field={field} />
          </>
        )}
      />
      <Show when={pending().length > 0 || waiting.state() === 'failed'}>
        <section class="list">
          <h2 class="h3">
            {t('needs_you')}{' '}
            <Show when={pending().length > 0}>
              <span class="count">
                {pending().length}
                <Show when={waiting.hasMore()}>+</Show>
              </span>
            </Show>
          </h2>
          <PagedRows list={waiting} label={t('needs_you')} empty={undefined}>
            {(call) => (
              <a class="item" href={`/chats/${call.chat_id}`}>
                <Mark name="wait" label={t('waits')} />
                <span class="grow">
                  <span class="cut">
                    <AskedCall asked={call} />
                  </span>
                </span>
                <span class="meta">{t('since', { time: whenText(call.created_at) })}</span>
              </a>
            )}
          </PagedRows>
        </section>
      </Show>
      <Show when={running().length > 0}>
        <section class="list">
          <h2 class="h3">
            {t('running')} <span class="count">{running().length}</span>
          </h2>
          <ul class="rows">
            <For each={running()}>
              {(chat) => (
                <li>
                  <ChatLine chat={chat} />
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <section class="list">
        <Show when={resting().length > 0 || running().length === 0}>
          <h2 class="h3">{t('recent')}</h2>
        </Show>
        <PagedRows
          list={{ ...chats, items: resting }}
          label={t('recent')}
          empty={
            <Show when={running().length === 0}>
              <EmptyState title={t('no_chats')} text={t('no_chats_text')} />
            </Show>
          }
        >
          {(chat) => <ChatLine chat={chat} />}
        </PagedRows>
      </section>
    </div>
  )
}

function ChatLine(props: { readonly chat: Chat }): JSX.Element {
  return (
    <a class="item" href={`/chats/${props.chat.id}`}>
      <Mark {...(props.chat.active_run_id === null ? { name: 'dot' } : { name: 'run', label: t('running') })} />
      <span class="grow">
        <span class="cut">
          <bdi>{props.chat.title ?? t('untitled')}</bdi>
        </span>
      </span>
      <span class="meta">{whenText(props.chat.updated_at)}</span>
    </a>
  )
}
