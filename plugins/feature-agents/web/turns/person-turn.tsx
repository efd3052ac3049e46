import { Button, IconButton, messageActions, agentName as shownName, textOf, whenText } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { post } from '../outbox/outbox.js'
import { BranchSwitch } from './branch-switch.js'
import { CopyIcon } from './copy-icon.js'
import { AttachedFiles } from './files/attached-files.js'
import { plainText } from './message-text.js'
import { t } from './texts.js'

/** Who wrote a message of a person's side: the person, or an agent in their place. */
const writerOf = ({ sent_by: sender }: Message): string =>
  sender ? t('by_agent', { name: shownName(sender.name ?? t('agent')) }) : t('you')

/** What a person wrote, with its files; can be edited, which begins a branch. */
export function PersonTurn(props: { readonly chat: ChatState; readonly message: Message }): JSX.Element {
  const [editing, setEditing] = createSignal(false)
  const [text, setText] = createSignal('')
  const files = () => props.message.content.flatMap((part) => (part.type === 'file' || part.type === 'image' ? [part] : []))
  const submit = (): void => {
    const content = text().trim()
    if (content === '' && files().length === 0) return
    const attachments = files().flatMap(({ path, name = '', size = 0 }) => (path === undefined ? [] : [{ path, name, size }]))
    post({ chatId: props.message.chat_id, choice: props.chat.chosen.shown(), content, attachments, replaces: props.message.id })
    setEditing(false)
  }
  return (
    <article class="turn you" data-messages={props.message.id}>
      <Show
        when={editing()}
        fallback={
          <div class="said">
            <Show when={plainText(props.message)}>{(words) => <p class="chat-said foreign">{words()}</p>}</Show>
            <AttachedFiles parts={files()} />
          </div>
        }
      >
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <textarea
            class="text"
            aria-label={t('edit')}
            ref={(element) => queueMicrotask(() => element.focus())}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              setEditing(false)
            }}
          />
          <footer>
            <span class="grow" />
            <Button kind="quiet" size="small" onClick={() => setEditing(false)}>
              {t('cancel')}
            </Button>
            <Button kind="main" size="small" type="submit">
              {t('send_again')}
            </Button>
          </footer>
        </form>
      </Show>
      <div class="note">
        <b>{writerOf(props.message)}</b>
        <span>{whenText(props.message.created_at)}</span>
        <span class="chat-acts">
          <CopyIcon text={() => plainText(props.message)} />
          <IconButton
            icon="pencil"
            size="small"
            name={t('edit')}
            disabled={props.chat.isRunning()}
            onClick={() => {
              setText(plainText(props.message))
              setEditing(true)
            }}
          />
          <Show when={plainText(props.message) !== ''}>
            <For each={messageActions()}>
              {({ icon, title, run }) => (
                <IconButton icon={icon} size="small" name={textOf(title)} onClick={() => run(plainText(props.message))} />
              )}
            </For>
          </Show>
          <BranchSwitch chat={props.chat} message={props.message} />
        </span>
      </div>
    </article>
  )
}
