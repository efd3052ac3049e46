import './chat.css'
import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { usePageTitle } from '../../app/contributions.js'
import type { ScreenProps } from '../../app/screen.js'
import { Button, IconButton } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { errorText, Failure, Skeleton } from '../../ui/states.js'
import { createChatState } from './chat-state.js'
import { discard, type Outgoing, onDelivered, outgoing, post, resend } from './outbox.js'
import { t } from './texts.js'
import { TurnList } from './turn-list.js'

export { EmbeddedTurns } from './embedded-turns.js'

/** A chat with an agent, live. */
export default function ChatScreen(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['chatId']} keyed>
      {(chatId) => <ChatView chatId={chatId} />}
    </Show>
  )
}

function ChatView(props: { readonly chatId: string }): JSX.Element {
  const chat = createChatState(props.chatId)
  const { state } = chat
  const title = (): string => state.chat?.title ?? t('untitled')
  usePageTitle(title)
  onCleanup(onDelivered(({ message }) => message.chat_id === props.chatId && chat.takeMessage(message)))
  const pending = (): readonly Outgoing[] => outgoing().filter(({ chatId }) => chatId === props.chatId)
  const watcher = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && void chat.loadOlder(), {
    rootMargin: '800px',
  })
  onCleanup(() => watcher.disconnect())
  return (
    <div class="chat">
      <header class="bar">
        <h1 class="cut" tabindex="-1">
          <bdi>{title()}</bdi>
        </h1>
        <span class="grow" />
        <Show when={chat.isRunning()}>
          <span class="state small t2">
            <Mark name="run" />
            {state.stopping ? t('stopping') : t('running')}
          </span>
        </Show>
      </header>
      <section class="chat-scroll" tabindex="0" aria-label={t('messages')}>
        <div class="thread">
          <Show when={chat.hasOlder()}>
            <div class="more" ref={(element) => queueMicrotask(() => watcher.observe(element))}>
              <Button size="small" kind="quiet" busy={chat.loading() === 'older'} onClick={() => void chat.loadOlder()}>
                {t('older')}
              </Button>
            </div>
          </Show>
          <Show when={chat.loading() === 'first'}>
            <Skeleton lines={6} />
          </Show>
          <TurnList chat={chat} />
          <For each={pending()}>{(message) => <PendingTurn message={message} />}</For>
          <Show when={state.notice}>
            <p class="chat-notice small" role="status">
              <Mark name="warn" />
              {state.notice}
            </p>
          </Show>
          <Show when={state.failure}>
            {(failure) => (
              <div class="failed" role="alert">
                <Mark name="fail" />
                <span class="grow">{failure().message}</span>
              </div>
            )}
          </Show>
          <Show when={chat.error()}>
            <Failure error={chat.error()} onRetry={() => void chat.load()} />
          </Show>
        </div>
      </section>
      <Composer chatId={props.chatId} running={chat.isRunning()} stopping={state.stopping} onStop={chat.stop} />
    </div>
  )
}

/** A message that is on its way. */
function PendingTurn(props: { readonly message: Outgoing }): JSX.Element {
  return (
    <article class="turn you pending">
      <div class="said">
        <p class="chat-said">{props.message.content}</p>
        <Show when={props.message.refused}>
          {(reason) => (
            <div class="failed" role="alert">
              <Mark name="fail" />
              <span class="grow">{reason()}</span>
              <Button size="small" onClick={() => resend(props.message.key)}>
                {t('retry')}
              </Button>
              <Button size="small" kind="quiet" onClick={() => discard(props.message.key)}>
                {t('discard')}
              </Button>
            </div>
          )}
        </Show>
      </div>
      <div class="note">
        <b>{t('you')}</b>
        <span>{props.message.refused === undefined ? t('sending') : t('not_sent')}</span>
      </div>
    </article>
  )
}

/** Text for the agent. What is typed outlives a reload of the tab. */
function Composer(props: {
  readonly chatId: string
  readonly running: boolean
  readonly stopping: boolean
  readonly onStop: () => Promise<void>
}): JSX.Element {
  const draftKey = `console.draft.${props.chatId}`
  const [text, setText] = createSignal(readDraft(draftKey))
  const [error, setError] = createSignal<unknown>()
  createEffect(on(text, (value) => writeDraft(draftKey, value), { defer: true }))
  const send = (): void => {
    const content = text().trim()
    if (content === '') return
    post({ chatId: props.chatId, content, attachments: [] })
    setText('')
  }
  const stop = async (): Promise<void> => {
    setError(undefined)
    await props.onStop().catch(setError)
  }
  return (
    <div class="dock">
      <div class="dock-in">
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <textarea
            class="text"
            rows={1}
            aria-label={t('message')}
            placeholder={t('placeholder')}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              send()
            }}
          />
          <footer>
            <Show when={error()}>
              {(cause) => (
                <span class="help err" role="alert">
                  <Mark name="fail" />
                  {errorText(cause())}
                </span>
              )}
            </Show>
            <span class="grow" />
            <Show when={props.running}>
              <Button size="small" icon="player-stop" busy={props.stopping} onClick={() => void stop()}>
                {props.stopping ? t('stopping') : t('stop')}
              </Button>
            </Show>
            <IconButton
              icon="arrow-up"
              size="small"
              class="main"
              name={props.running ? t('send_after') : t('send')}
              disabled={text().trim() === ''}
              onClick={send}
            />
          </footer>
        </form>
      </div>
    </div>
  )
}

function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function writeDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    return
  }
}
