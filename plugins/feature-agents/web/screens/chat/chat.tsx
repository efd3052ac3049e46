import './chat.css'
import {
  announce,
  Badge,
  Button,
  currentQuery,
  Failure,
  lazyPart,
  Mark,
  navigate,
  type ScreenProps,
  Skeleton,
  showToast,
  usePageActions,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { WithBeside } from '../../beside/with-beside.js'
import { deletedHere } from '../../chats/bin/deleted-here.js'
import { ChatMenu } from '../../chats/chat-menu.js'
import { Choice } from '../../choices/choice.js'
import { takeSecondModel } from '../../choices/second-model.js'
import { Composer, ContextNote } from '../../composer/composer.js'
import { createDraft, type Draft, draftKeyOf } from '../../composer/draft.js'
import { createFileDrop } from '../../composer/drop-files.js'
import { type ChatState, createChatState } from '../../live-chat/chat-state.js'
import { isUndelivered, type Outgoing, onDelivered, outgoing, post } from '../../outbox/outbox.js'
import { PendingTurn } from '../../outbox/pending-turn.js'
import type { Heights } from '../../turns/heights.js'
import { TurnList } from '../../turns/turn-list.js'
import { useChatKeys } from './chat-keys.js'
import { type ChatMemory, createChatMemory } from './chat-memory.js'
import { type ChatEnd, createChatEnd } from './follow-end.js'
import { t } from './texts.js'

const DockNotes = lazyPart(
  () => import('./notes/dock-notes.js'),
  (part) => part.DockNotes,
)

const WantedMessage = lazyPart(
  () => import('./wanted-message.js'),
  (part) => part.WantedMessage,
)

const FarTurns = lazyPart(
  () => import('./far-turns.js'),
  (part) => part.FarTurns,
)

/** Chats with fewer messages in the page stay in it whole. */
const longFrom = 200

/** A chat with an agent, live. */
export default function ChatScreen(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['chatId']} keyed>
      {(chatId) => (
        <WithBeside>
          <ChatView chatId={chatId} />
        </WithBeside>
      )}
    </Show>
  )
}

function ChatView(props: { readonly chatId: string }): JSX.Element {
  const chat = createChatState(props.chatId)
  const { state } = chat
  const draft = createDraft(draftKeyOf(props.chatId))
  const drop = createFileDrop(draft.attachments.add)
  const memory = createChatMemory(props.chatId, () => state.chat?.hidden === false)
  const end = createChatEnd(chat)
  let root: HTMLElement | undefined
  useChatKeys(chat, () => root)
  usePageTitle(() => state.chat?.title ?? t('untitled'))
  usePageActions(() => (
    <>
      <RunState chat={chat} />
      <MemoryState memory={memory} />
      <Show when={state.chat}>{(found) => <ChatMenu chat={found()} name={t('more_actions')} more={memory.items()} onChange={take} />}</Show>
    </>
  ))
  onCleanup(onDelivered(({ message }) => message.chat_id === props.chatId && chat.takeMessage(message)))
  const take = (changed: ReturnType<typeof current>): void => {
    if (changed) chat.setChat(changed)
  }
  const current = () => state.chat
  const pending = (): readonly Outgoing[] => {
    const all = outgoing().filter(({ chatId }) => chatId === props.chatId)
    const onItsWay = all.find(isUndelivered)
    return onItsWay && isTold(onItsWay) ? all.filter((message) => message !== onItsWay) : all
  }
  /** Whether an event has told of a message before its request is answered: it is among the messages then. */
  const isTold = ({ after, content }: Outgoing): boolean =>
    after !== undefined &&
    state.order.some((id) => {
      const message = state.messages[id]
      if (message?.role !== 'user' || message.sequence <= after) return false
      return message.content.some((part) => part.type === 'text' && part.text === content)
    })
  /** The sequence of the newest message; unknown until the chat is read. */
  const newest = (): number | undefined => (state.chat ? (state.messages[state.order.at(-1) ?? '']?.sequence ?? -1) : undefined)
  // The focus of who goes on writing stays in the field, so that the title is not read for it.
  createEffect(
    on(
      () => state.chat !== undefined,
      (isRead) => isRead && document.activeElement?.closest('.dock') && announce(state.chat?.title ?? t('untitled')),
    ),
  )
  createEffect(
    on(
      () => state.deleted,
      (deleted) => {
        if (!deleted) return
        if (!deletedHere.has(props.chatId)) showToast(t('deleted_elsewhere'), { mark: 'off' })
        void navigate('/', { replace: true })
      },
    ),
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button does the same
    <div
      class="chat"
      ref={(element) => {
        root = element
      }}
      classList={{ 'drop-over': drop.isOver() }}
      onDragOver={drop.onDragOver}
      onDragLeave={drop.onDragLeave}
      onDrop={drop.onDrop}
    >
      <Bar chat={chat} memory={memory} onChange={take} />
      <Thread chat={chat} draft={draft} pending={pending()} end={end} />
      <NewestButton end={end} />
      <DockNotes chat={state.chat} onChange={take} />
      <div class="dock">
        <div class="dock-in">
          <Composer
            draft={draft}
            label={t('message')}
            placeholder={t('placeholder')}
            running={chat.isRunning()}
            stopping={state.stopping}
            onStop={() => {
              announce(t('stopping'))
              return chat.stop()
            }}
            onSend={(written) =>
              void post({
                chatId: props.chatId,
                choice: chat.chosen.shown(),
                after: newest(),
                compareWith: takeSecondModel(props.chatId),
                ...written,
              })
            }
            agentId={chat.chosen.shown()?.agent_id}
            context={chat.context.shown()}
            choice={
              <Choice
                place={props.chatId}
                agentId={chat.chosen.shown()?.agent_id}
                model={chat.chosen.shown()?.model ?? null}
                onAgent={(agent_id) => chat.chosen.choose({ agent_id })}
                onModel={(model) => chat.chosen.choose({ model })}
              />
            }
          />
          <div class="dock-note">
            <Show when={chat.context.shown()}>{(context) => <ContextNote context={context()} />}</Show>
          </div>
        </div>
      </div>
    </div>
  )
}

/** What the chat does now; nothing while it rests. */
function RunState(props: { readonly chat: ChatState }): JSX.Element {
  const waits = (): boolean =>
    !props.chat.state.stopping && Object.values(props.chat.state.asked).some(({ status }) => status === 'pending')
  return (
    <Show when={props.chat.isRunning()}>
      <span class="state small t2">
        <Mark name={waits() ? 'wait' : 'run'} />
        {props.chat.state.stopping ? t('stopping') : waits() ? t('waits') : t('running')}
      </span>
    </Show>
  )
}

/** That nothing of the chat is remembered; nothing in the normal case. */
function MemoryState(props: { readonly memory: ChatMemory }): JSX.Element {
  return (
    <Show when={props.memory.isExcluded()}>
      <Badge tone="line" icon="bulb">
        {t('not_remembered')}
      </Badge>
    </Show>
  )
}

function Bar(props: {
  readonly chat: ChatState
  readonly memory: ChatMemory
  readonly onChange: (chat: ChatState['state']['chat']) => void
}): JSX.Element {
  return (
    <header class="bar">
      <h1 class="cut" tabindex="-1">
        <bdi>{props.chat.state.chat?.title ?? t('untitled')}</bdi>
      </h1>
      <span class="grow" />
      <RunState chat={props.chat} />
      <MemoryState memory={props.memory} />
      <Show when={props.chat.state.chat}>
        {(found) => <ChatMenu chat={found()} name={t('more_actions')} size="small" more={props.memory.items()} onChange={props.onChange} />}
      </Show>
    </header>
  )
}

/** The way back to the end; the mark says that something has come there. */
function NewestButton(props: { readonly end: ChatEnd }): JSX.Element {
  return (
    <Show when={props.end.isAway()}>
      <div class="chat-newest">
        <Button size="small" icon="arrow-down" onClick={props.end.goThere}>
          {t('newest')}
          <Show when={props.end.hasNew()}>
            <Mark name="next" label={t('newest_new')} />
          </Show>
        </Button>
      </div>
    </Show>
  )
}

function Thread(props: {
  readonly chat: ChatState
  readonly draft: Draft
  readonly pending: readonly Outgoing[]
  readonly end: ChatEnd
}): JSX.Element {
  const { chat } = props
  const { state } = chat
  const [heights, setHeights] = createSignal<Heights>(new Map())
  const [scroll, setScroll] = createSignal<HTMLElement>()
  const scroller = (element: HTMLElement): void => {
    setScroll(element)
    loadOlderAtTop(chat, element)
    trimAtEnd(chat, element)
    props.end.attach(element)
  }
  return (
    <section class="chat-scroll" tabindex="0" aria-label={t('messages')} ref={scroller}>
      <div class="thread">
        <Show when={chat.hasOlder()}>
          <div class="more">
            <Button size="small" kind="quiet" busy={chat.loading() === 'older'} onClick={() => void chat.loadOlder()}>
              {t('older')}
            </Button>
          </div>
        </Show>
        <Show when={chat.loading() === 'first'}>
          <Skeleton lines={6} />
        </Show>
        <TurnList chat={chat} heights={heights()} />
        <For each={props.pending}>{(message) => <PendingTurn message={message} onEdit={props.draft.takeBack} />}</For>
        <Show when={state.notice}>
          <p class="chat-notice small" role="status">
            <Mark name="warn" />
            {state.notice}
          </p>
        </Show>
        <Show when={chat.error()}>
          <Failure error={chat.error()} onRetry={() => void chat.load()} />
        </Show>
      </div>
      <Show when={scroll()}>
        {(element) => (
          <>
            <Show when={currentQuery().has('message')}>
              <WantedMessage chat={chat} scroll={element()} />
            </Show>
            <Show when={state.order.length > longFrom}>
              <FarTurns chat={chat} scroll={element()} heights={heights()} onChange={setHeights} />
            </Show>
          </>
        )}
      </Show>
    </section>
  )
}

/** How near the top, in pixels, older messages are read. */
const nearTop = 1_200

/** Reads older pages while the person is near the top of what is there, and fills the first view. */
function loadOlderAtTop(chat: ChatState, scroll: HTMLElement): void {
  const check = (): void => {
    // The column is reversed: the top is at the most negative offset.
    const above = scroll.scrollHeight - scroll.clientHeight + scroll.scrollTop
    if (above < nearTop && chat.loading() === undefined && chat.error() === undefined) void chat.loadOlder()
  }
  scroll.addEventListener('scroll', check, { passive: true })
  createEffect(() => {
    if (chat.loading() !== undefined || !chat.hasOlder()) return
    const frame = requestAnimationFrame(check)
    onCleanup(() => cancelAnimationFrame(frame))
  })
}

/** How near the end, in pixels, a person reads the newest messages. */
const nearEnd = 200

/** Forgets the oldest of many messages while the person reads the newest. */
function trimAtEnd(chat: ChatState, scroll: HTMLElement): void {
  const trim = (): void => {
    // The column is reversed: the newest messages are at 0. A message that the address names is looked for from there.
    if (Math.abs(scroll.scrollTop) < nearEnd && !currentQuery().has('message')) chat.trim()
  }
  scroll.addEventListener('scroll', trim, { passive: true })
  // Nothing is forgotten while a page is read, so it is tried again after it.
  createEffect(on(() => [chat.state.order.length, chat.loading()], trim, { defer: true }))
}
