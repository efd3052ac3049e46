import '../../composer/composer.css'
import { Button, createAction, ErrorWords, IconButton, lazyPart, Mark, newId, Skeleton } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { api } from '../../api/index.js'
import type { Agent } from './definition.js'
import { t } from './texts.js'
import { keepTrial, removeLeftTrials, type TrialChat } from './trial-chats.js'

/** The turns of a chat are loaded with the first message. */
const EmbeddedTurns = lazyPart(
  () => import('../../turns/embedded-turns.js'),
  (module) => module.EmbeddedTurns,
  () => <Skeleton lines={3} />,
)

/**
 * A chat to try the agent, beside its form. No list shows it, and it is deleted when the person
 * leaves or starts over; what fails of that is done at the next visit. It runs the saved version, and says so while there are changes.
 */
export function TestChat(props: {
  readonly agent: Agent
  readonly unsaved: number
  readonly saving: boolean
  readonly onSave: () => Promise<void>
}): JSX.Element {
  const [chat, setChat] = createSignal<TrialChat>()
  const chatId = (): string | undefined => chat()?.id
  const [text, setText] = createSignal('')
  const remove = (): void => {
    chat()?.remove()
    setChat(undefined)
  }
  onMount(() => void removeLeftTrials())
  window.addEventListener('pagehide', remove)
  onCleanup(() => {
    window.removeEventListener('pagehide', remove)
    remove()
  })
  const sending = createAction(async (content: string) => {
    const { id } = chat() ?? setChat(keepTrial((await api.post('/api/chats', { body: { agent_id: props.agent.id, hidden: true } })).id))
    await api.post('/api/chats/{chat_id}/messages', { path: { chat_id: id }, body: { content }, idempotencyKey: newId() })
    setText('')
  })
  const send = (): void => {
    const content = text().trim()
    if (content !== '') void sending.run(content)
  }
  return (
    <section class="agents-try chat" aria-label={t('try')}>
      <header class="row">
        <h2 class="h3 grow">{t('try')}</h2>
        <Show when={chatId()}>
          <Button size="small" kind="quiet" icon="refresh" onClick={remove}>
            {t('try_again')}
          </Button>
        </Show>
      </header>
      <Show when={props.unsaved > 0} fallback={<p class="help">{t('try_version', { number: props.agent.version })}</p>}>
        <div class="agents-try-note" role="status">
          <Mark name="warn" />
          <span class="grow">{t('try_unsaved', { number: props.agent.version })}</span>
          <Button size="small" busy={props.saving} onClick={() => void props.onSave()}>
            {t('try_save')}
          </Button>
        </div>
      </Show>
      <Show when={chatId()} keyed fallback={<p class="agents-try-empty t2">{t('try_text')}</p>}>
        {(id) => <EmbeddedTurns chatId={id} />}
      </Show>
      <Show when={sending.failure()}>
        {(error) => (
          <p class="help err">
            <ErrorWords error={error()} />
          </p>
        )}
      </Show>
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
          aria-label={t('try_message')}
          placeholder={t('try_message')}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            send()
          }}
        />
        <footer>
          <span class="grow" />
          <IconButton
            icon="arrow-up"
            size="small"
            class="main"
            name={t('try_send')}
            disabled={text().trim() === ''}
            onClick={() => send()}
          />
        </footer>
      </form>
    </section>
  )
}
