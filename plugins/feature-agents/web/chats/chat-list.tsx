import './chat-list.css'
import {
  type Activity,
  addEntryKeys,
  Button,
  currentPath,
  currentQuery,
  dayNumber,
  errorText,
  Icon,
  Mark,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { api, createPagedQuery, createQuery, onEvent } from '../api/index.js'
import { type Chat, titleOf } from './chat-menu.js'
import { isImportOver, noteImport } from './import-notice.js'
import { knownSpaces, readSpaces, spaceOf, spacesError } from './spaces.js'
import { t } from './texts.js'

interface Group {
  readonly heading: string
  readonly chats: readonly Chat[]
}

/** Pinned chats, then the others by their last change. */
function groupsOf(chats: readonly Chat[], now: Date): readonly Group[] {
  const ageOf = ({ updated_at }: Chat): 'today' | 'last_week' | 'earlier' => {
    const days = dayNumber(now) - dayNumber(updated_at)
    return days <= 0 ? 'today' : days <= 6 ? 'last_week' : 'earlier'
  }
  const newest = [...chats].sort((one, other) => other.updated_at.localeCompare(one.updated_at))
  const rest = newest.filter(({ pinned }) => !pinned)
  return [
    { heading: t('pinned'), chats: newest.filter(({ pinned }) => pinned) },
    ...(['today', 'last_week', 'earlier'] as const).map((age) => ({ heading: t(age), chats: rest.filter((chat) => ageOf(chat) === age) })),
  ].filter((group) => group.chats.length > 0)
}

const none: ReadonlySet<string> = new Set()

const readWaiting = async (signal: AbortSignal): Promise<ReadonlySet<string>> =>
  new Set((await api.get('/api/approvals', { query: { status: 'pending', limit: 100 }, signal })).items.map(({ chat_id }) => chat_id))

const [activity, setActivity] = createSignal<Activity>()

/** Whether chats run or wait for the person, besides the one that is open. */
export const chatActivity = activity

/** How many spaces are shown at first, and more on request. */
const spacesInStep = 50

/**
 * The chats, pinned ones first, then newest first, in the sidebar, and the spaces. Pages are read
 * when asked for; events alone change what is shown.
 */
export function ChatList(): JSX.Element {
  const list = createPagedQuery<Chat>({
    key: () => ['chats', 'listed'],
    read: (cursor, signal) =>
      api.get('/api/chats', { query: { limit: 30, order: 'pinned_first', ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (chat) => chat.id,
  })
  const [shownSpaces, setShownSpaces] = createSignal(spacesInStep)
  /** Which chats wait for the person; events go on from there. */
  const asked = createQuery({ key: () => ['waiting_chats'], read: readWaiting })
  const waiting = (): ReadonlySet<string> => asked.value() ?? none
  const mark = (id: string, waits: boolean): void => {
    if (waiting().has(id) !== waits) asked.set(new Set(waits ? [...waiting(), id] : [...waiting()].filter((other) => other !== id)))
  }
  /** A chat beyond the pages that were read stays there. */
  const put = (chat: Chat): void => {
    if (chat.active_run_id === null) mark(chat.id, false)
    if (chat.archived || chat.hidden) list.remove(chat.id)
    else list.put(chat)
  }
  onCleanup(onEvent('chat.created', ({ data }) => put(data.chat)))
  onCleanup(onEvent('chat.updated', ({ data }) => put(data.chat)))
  onCleanup(onEvent('chat.deleted', ({ data }) => list.remove(data.chat_id)))
  onCleanup(onEvent('run.waiting', ({ data }) => mark(data.chat_id, true)))
  onCleanup(onEvent('approval.resolved', ({ data }) => mark(data.chat_id, false)))
  onCleanup(onEvent('chat_import.updated', ({ data }) => void (isImportOver(data.import) && noteImport(data.import))))
  onMount(() => void readSpaces())
  createEffect(() => {
    const others = list.items().filter(({ id, active_run_id }) => active_run_id !== null && currentPath() !== `/chats/${id}`)
    const waits = others.some(({ id }) => waiting().has(id))
    setActivity(waits ? { mark: 'wait', label: t('one_waits') } : others.length > 0 ? { mark: 'run', label: t('one_runs') } : undefined)
  })
  const failure = (): Error | undefined => (list.state() === 'failed' ? list.error() : asked.error())
  const readAgain = (): void => {
    if (list.state() === 'failed') void list.reload()
    if (asked.error()) void asked.reload()
  }
  return (
    <>
      <For each={groupsOf(list.items(), new Date()).map(({ heading }) => heading)}>
        {(heading) => (
          <section class="chat-list-group" ref={addKeys}>
            <h2 class="h3">{heading}</h2>
            <ul>
              <For each={groupsOf(list.items(), new Date()).find((group) => group.heading === heading)?.chats}>
                {(chat) => <Row chat={chat} waits={waiting().has(chat.id)} />}
              </For>
            </ul>
          </section>
        )}
      </For>
      <Show when={failure()}>{(cause) => <NotRead words={t('chats_failed')} error={cause()} onRetry={readAgain} />}</Show>
      <Show when={list.hasMore()}>
        <div class="chat-list-more">
          <Button size="small" kind="quiet" busy={list.state() === 'loading'} onClick={() => void list.more()}>
            {t('more_chats')}
          </Button>
        </div>
      </Show>
      <Show when={knownSpaces().length > 0 || spacesError()}>
        <section>
          <h2 class="h3">{t('spaces')}</h2>
          <Show when={spacesError()}>
            {(cause) => <NotRead words={t('spaces_failed')} error={cause()} onRetry={() => void readSpaces()} />}
          </Show>
          <ul>
            <For each={knownSpaces().slice(0, shownSpaces())}>
              {(space) => (
                <li>
                  <a
                    class="nav"
                    href={`/chats?space=${encodeURIComponent(space.id)}`}
                    aria-current={placedSpace(currentPath(), currentQuery()) === space.id ? 'page' : undefined}
                  >
                    <Icon name="at" />
                    <bdi class="cut">{space.name}</bdi>
                  </a>
                </li>
              )}
            </For>
          </ul>
          <Show when={knownSpaces().length > shownSpaces()}>
            <div class="chat-list-more">
              <Button size="small" kind="quiet" onClick={() => setShownSpaces((before) => before + spacesInStep)}>
                {t('more_spaces')}
              </Button>
            </div>
          </Show>
        </section>
      </Show>
    </>
  )
}

/** From chat to chat, whatever group they are in. */
const addKeys = (group: HTMLElement): void =>
  addEntryKeys(group, {
    entries: () => [...(group.parentElement?.querySelectorAll<HTMLElement>('.chat-list-group a.nav') ?? [])],
    row: 'li',
  })

/** A short failure for the narrow column; the reason is in its tooltip. */
function NotRead(props: { readonly words: string; readonly error: unknown; readonly onRetry: () => void }): JSX.Element {
  return (
    <div class="chat-list-failed" role="alert" title={errorText(props.error)}>
      <Mark name="fail" />
      <span class="grow">{props.words}</span>
      <Button size="small" kind="quiet" onClick={props.onRetry}>
        {ui('retry')}
      </Button>
    </div>
  )
}

/** The space that an address shows. */
const placedSpace = (path: string, query: URLSearchParams): string | undefined =>
  path === '/chats' ? (query.get('space') ?? undefined) : undefined

/** Whether the list has a line for the place. */
export const isListedSpace = (path: string, query: URLSearchParams): boolean => spaceOf(placedSpace(path, query)) !== undefined

function Row(props: { readonly chat: Chat; readonly waits: boolean }): JSX.Element {
  const path = (): string => `/chats/${props.chat.id}`
  return (
    <li>
      <a class="nav" href={path()} aria-current={currentPath() === path() ? 'page' : undefined}>
        <span class="cut">
          <bdi>{titleOf(props.chat)}</bdi>
        </span>
        <Show when={props.chat.active_run_id !== null}>
          <Show when={props.waits} fallback={<Mark name="run" label={t('running')} />}>
            <Mark name="wait" label={t('waits')} />
          </Show>
        </Show>
      </a>
    </li>
  )
}
