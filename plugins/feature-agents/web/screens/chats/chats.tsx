import './chats.css'
import {
  Button,
  ButtonLink,
  currentQuery,
  EmptyState,
  errorText,
  Failure,
  Icon,
  lazyPart,
  Mark,
  navigate,
  Page,
  PagedRows,
  usePageTitle,
  whenText,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { api, createPagedQuery, onEvent, type Schemas } from '../../api/index.js'
import { type Chat, ChatMenu, titleOf } from '../../chats/chat-menu.js'
import { hitAddress } from '../../chats/hit-address.js'
import { knownSpaces, readSpaces, spaceOf, spacesError } from '../../chats/spaces.js'
import { NewChat } from '../../composer/new-chat.js'
import { SpaceActions } from './space-actions.js'
import { t } from './texts.js'

const DeletedChats = lazyPart(
  () => import('../../chats/bin/deleted-chats.js'),
  (module) => module.DeletedChats,
)
const ImportDialog = lazyPart(
  () => import('./imports/import-dialog.js'),
  (module) => module.ImportDialog,
)

/** Which chats are listed. */
type Shown = 'current' | 'archived' | 'deleted'
const kinds: readonly Shown[] = ['current', 'archived', 'deleted']

/** Every chat: a search, the archive, what was deleted lately, and the spaces. The address says what is shown. */
export default function Chats(): JSX.Element {
  const spaceId = (): string => currentQuery().get('space') ?? ''
  const archived = (): boolean => currentQuery().get('archived') === 'true'
  const deleted = (): boolean => currentQuery().get('deleted') === 'true'
  const shown = (): Shown => (deleted() ? 'deleted' : archived() ? 'archived' : 'current')
  const show = (which: Shown): void => go({ archived: which === 'archived' ? 'true' : '', deleted: which === 'deleted' ? 'true' : '' })
  const query = (): string => currentQuery().get('q') ?? ''
  const importing = (): boolean => currentQuery().get('import') === 'open'
  const space = () => spaceOf(spaceId())
  const title = (): string => space()?.name ?? t('title')
  usePageTitle(title)
  onMount(() => void readSpaces())
  const go = (change: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(currentQuery())
    for (const [name, value] of Object.entries(change)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    void navigate(text === '' ? '/chats' : `/chats?${text}`, { replace: true })
  }
  return (
    <Page
      title={title()}
      lead={space() ? space()?.description || t('space_lead') : t('lead')}
      actions={
        <>
          <SpaceActions space={space()} onMade={(id) => go({ space: id, q: '' })} onGone={() => go({ space: '' })} />
          <Show when={spaceId() === ''}>
            <Button icon="upload" onClick={() => go({ import: 'open' })}>
              {t('import')}
            </Button>
            <ButtonLink href="/" kind="main" icon="plus">
              {t('new_chat')}
            </ButtonLink>
          </Show>
        </>
      }
    >
      <Show when={spaceId() !== '' && query() === '' && shown() === 'current'}>
        <div class="chats-ask">
          <NewChat spaceId={spaceId()} />
        </div>
      </Show>
      <Show when={importing()}>
        <ImportDialog onClose={() => go({ import: '' })} />
      </Show>
      <search class="chats-find">
        <SearchField value={query()} onSearch={(q) => go({ q })} />
        <Show when={query() === ''}>
          <fieldset class="seg" aria-label={t('shown')}>
            <For each={kinds}>
              {(each) => (
                <label>
                  <input type="radio" name="shown" checked={shown() === each} onChange={() => show(each)} />
                  {t(each)}
                </label>
              )}
            </For>
          </fieldset>
          <Show when={!deleted() && knownSpaces().length > 0}>
            <span class="in chats-space">
              <select aria-label={t('space')} value={spaceId()} onChange={(event) => go({ space: event.currentTarget.value })}>
                <option value="">{t('all')}</option>
                <For each={knownSpaces()}>
                  {(each) => (
                    <option value={each.id} selected={each.id === spaceId()}>
                      {each.name}
                    </option>
                  )}
                </For>
              </select>
              <Icon name="chevron-down" />
            </span>
          </Show>
        </Show>
      </search>
      <Show when={spacesError()}>
        {(cause) => (
          <div class="chats-failed">
            <Failure error={t('spaces_failed', { reason: errorText(cause()) })} onRetry={() => void readSpaces()} />
          </div>
        )}
      </Show>
      <Show
        when={query()}
        keyed
        fallback={
          <Show when={!deleted()} fallback={<DeletedChats />}>
            <Show when={`${spaceId()} ${archived()}`} keyed>
              <ChatRows spaceId={spaceId()} archived={archived()} />
            </Show>
          </Show>
        }
      >
        {(q) => <Hits query={q} />}
      </Show>
    </Page>
  )
}

/** Searches 250 ms after the last key; the address keeps the words. */
function SearchField(props: { readonly value: string; readonly onSearch: (query: string) => void }): JSX.Element {
  const [text, setText] = createSignal(props.value)
  let timer: ReturnType<typeof setTimeout> | undefined
  const search = (): void => {
    clearTimeout(timer)
    props.onSearch(text().trim())
  }
  createEffect(
    on(
      () => props.value,
      (value) => value !== text().trim() && setText(value),
      { defer: true },
    ),
  )
  onCleanup(() => clearTimeout(timer))
  return (
    <span class="in">
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value)
          clearTimeout(timer)
          timer = setTimeout(search, 250)
        }}
        onKeyDown={(event) => event.key === 'Enter' && search()}
      />
    </span>
  )
}

function ChatRows(props: { readonly spaceId: string; readonly archived: boolean }): JSX.Element {
  const list = createPagedQuery<Chat>({
    key: () => ['chats', 'all', { space: props.spaceId, archived: props.archived }],
    read: (cursor, signal) =>
      api.get('/api/chats', {
        query: {
          ...{ limit: 50, archived: props.archived, order: 'pinned_first' },
          ...(props.spaceId !== '' && { space_id: props.spaceId }),
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      }),
    idOf: (chat) => chat.id,
  })
  const put = (chat: Chat): void => {
    if (chat.hidden || chat.archived !== props.archived || (props.spaceId !== '' && chat.space_id !== props.spaceId)) list.remove(chat.id)
    else list.put(chat)
  }
  onCleanup(onEvent('chat.created', ({ data }) => put(data.chat)))
  onCleanup(onEvent('chat.updated', ({ data }) => put(data.chat)))
  onCleanup(onEvent('chat.deleted', ({ data }) => list.remove(data.chat_id)))
  const sorted = (): readonly Chat[] =>
    [...list.items()].sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.updated_at.localeCompare(one.updated_at))
  return (
    <PagedRows
      list={{ ...list, items: sorted }}
      label={t('title')}
      empty={
        <EmptyState
          title={props.archived ? t('no_archived') : t('no_chats')}
          text={props.archived ? t('no_archived_text') : t('no_chats_text')}
        />
      }
    >
      {(chat) => (
        <div class="chats-row">
          <a class="item" href={`/chats/${chat.id}`}>
            <Show when={chat.active_run_id !== null} fallback={<Icon name={chat.pinned ? 'star' : 'message'} />}>
              <Mark name="run" label={t('running')} />
            </Show>
            <span class="grow">
              <bdi class="cut">{titleOf(chat)}</bdi>
              <Show when={props.spaceId === '' && spaceOf(chat.space_id)}>{(space) => <span class="sub cut">{space().name}</span>}</Show>
            </span>
            <span class="meta">{whenText(chat.updated_at)}</span>
          </a>
          <ChatMenu
            chat={chat}
            name={t('actions_of', { title: titleOf(chat) })}
            size="small"
            onChange={(changed) => (changed ? put(changed) : list.remove(chat.id))}
          />
        </div>
      )}
    </PagedRows>
  )
}

type Hit = Schemas['SearchHit']

function Hits(props: { readonly query: string }): JSX.Element {
  const list = createPagedQuery<Hit>({
    key: () => ['chat_hits', props.query],
    read: (cursor, signal) =>
      api.get('/api/chats/search', { query: { q: props.query, limit: 50, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (hit) => `${hit.chat_id} ${hit.message_id ?? ''}`,
  })
  return (
    <PagedRows
      list={list}
      label={t('results')}
      empty={<EmptyState title={t('no_hits', { query: props.query })} text={t('no_hits_text')} />}
    >
      {(hit) => (
        <a class="chats-hit" href={hitAddress(hit)}>
          <span>
            <bdi class="cut">{hit.chat_title ?? t('untitled')}</bdi>
            <Show when={hit.archived}>
              <span class="badge">{t('archived')}</span>
            </Show>
            <span class="meta">{whenText(hit.created_at)}</span>
          </span>
          <Show when={hit.message_id !== undefined}>
            <span class="chats-snippet">
              <Marked snippet={hit.snippet} />
            </span>
          </Show>
        </a>
      )}
    </PagedRows>
  )
}

/** A piece of a text with the found words underlined. */
function Marked(props: { readonly snippet: Schemas['Snippet'] }): JSX.Element {
  const pieces = (): readonly { readonly text: string; readonly found: boolean }[] => {
    const { text, marks } = props.snippet
    const all: { text: string; found: boolean }[] = []
    let at = 0
    for (const { start, end } of marks) {
      all.push({ text: text.slice(at, start), found: false }, { text: text.slice(start, end), found: true })
      at = end
    }
    return [...all, { text: text.slice(at), found: false }].filter((piece) => piece.text !== '')
  }
  return (
    <For each={pieces()}>
      {(piece) => (
        <Show when={piece.found} fallback={piece.text}>
          {<mark>{piece.text}</mark>}
        </Show>
      )}
    </For>
  )
}
