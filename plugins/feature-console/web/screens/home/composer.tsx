import './home.css'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { navigate } from '../../app/router.js'
import { IconButton } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { errorText } from '../../ui/states.js'
import { t } from './texts.js'

/** Begins a chat with what is asked. A failure keeps the text, and a repeat sends nothing twice. */
export function HomeComposer(): JSX.Element {
  const [text, setText] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<unknown>()
  let attempt: { readonly text: string; readonly key: string; chatId?: string } | undefined

  const send = async (): Promise<void> => {
    const content = text().trim()
    if (content === '' || busy()) return
    if (attempt?.text !== content) attempt = { text: content, key: crypto.randomUUID() }
    setBusy(true)
    setError(undefined)
    try {
      attempt.chatId ??= (await api.post('/api/chats', { body: {}, idempotencyKey: `${attempt.key}-chat` })).id
      const chatId = attempt.chatId
      await api.post('/api/chats/{chat_id}/messages', { path: { chat_id: chatId }, body: { content }, idempotencyKey: attempt.key })
      void navigate(`/chats/${chatId}`)
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      class="home-ask"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        class="home-text"
        rows={2}
        autofocus
        aria-label={t('question')}
        placeholder={t('placeholder')}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          void send()
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
        <IconButton
          icon="arrow-up"
          name={t('send')}
          size="small"
          class="main"
          disabled={text().trim() === '' || busy()}
          onClick={() => void send()}
        />
      </footer>
    </form>
  )
}
