import { createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api } from '../../api/client.js'
import { newId } from '../../core/new-id.js'
import { whenText } from '../../i18n/formats.js'
import { Button } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { errorText } from '../../ui/states.js'
import type { Asked } from './chat-state.js'
import { t } from './texts.js'

type Decision = 'approve' | 'approve_once' | 'deny' | 'answer'

/**
 * What the agent asks: may it call a tool, or a question of its own. Answered in place; nothing is
 * the default on Enter.
 */
export function AskCard(props: { readonly asked: Asked; readonly onAnswered: (asked: Asked) => void }): JSX.Element {
  const id = createUniqueId()
  /** The same answer keeps its key when it is sent again. */
  const keys = new Map<string, string>()
  const keyOf = (answer: string): string => {
    const key = keys.get(answer) ?? newId()
    keys.set(answer, key)
    return key
  }
  const [note, setNote] = createSignal('')
  const [denying, setDenying] = createSignal(false)
  const [busy, setBusy] = createSignal<string>()
  const [error, setError] = createSignal<unknown>()
  const answer = async (decision: Decision, text: string): Promise<void> => {
    if (busy()) return
    setBusy(decision)
    setError(undefined)
    const { run_id, call_id } = props.asked
    try {
      const answered = await api.post('/api/runs/{run_id}/approvals/{call_id}', {
        path: { run_id, call_id },
        body: { decision, ...(text !== '' && { note: text }) },
        idempotencyKey: keyOf(`${decision} ${text}`),
      })
      props.onAnswered(answered)
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(undefined)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey || props.asked.kind !== 'approval')
      return
    if (event.key.toLowerCase() === 'a') void answer('approve_once', '')
    else if (event.key.toLowerCase() === 'd') setDenying(true)
    else return
    event.preventDefault()
  }
  const noteField = (label: string): JSX.Element => (
    <textarea
      class="chat-note-field"
      rows={2}
      ref={(element) => queueMicrotask(() => denying() && element.focus())}
      aria-label={label}
      placeholder={label}
      value={note()}
      onInput={(event) => setNote(event.currentTarget.value)}
    />
  )
  return (
    <section class="ask" aria-labelledby={id} onKeyDown={onKeyDown}>
      <div class="ask-body">
        <h2 class="h3 foreign" id={id}>
          {props.asked.purpose}
        </h2>
        <Show when={props.asked.kind === 'approval'}>
          <pre class="foreign" tabindex="0" translate="no">{`${props.asked.tool} ${JSON.stringify(props.asked.arguments, null, 2)}`}</pre>
          <Show when={props.asked.arguments_cut}>
            <p class="help">{t('arguments_cut')}</p>
          </Show>
        </Show>
        <Show when={props.asked.kind === 'question' || denying()}>
          {noteField(props.asked.kind === 'question' ? t('your_answer') : t('reason'))}
        </Show>
        <Show when={error()}>
          {(cause) => (
            <p class="help err" role="alert">
              <Mark name="fail" />
              {errorText(cause())}
            </p>
          )}
        </Show>
      </div>
      <footer>
        <Switch>
          <Match when={props.asked.kind === 'question'}>
            <For each={props.asked.options}>{(option) => <Button onClick={() => void answer('answer', option)}>{option}</Button>}</For>
            <Button
              kind="main"
              busy={busy() === 'answer'}
              disabled={note().trim() === ''}
              onClick={() => void answer('answer', note().trim())}
            >
              {t('answer')}
            </Button>
          </Match>
          <Match when={denying()}>
            <Button kind="danger" busy={busy() === 'deny'} onClick={() => void answer('deny', note().trim())}>
              {t('deny')}
            </Button>
            <Button kind="quiet" onClick={() => setDenying(false)}>
              {t('back')}
            </Button>
          </Match>
          <Match when={true}>
            <Button kind="main" busy={busy() === 'approve_once'} onClick={() => void answer('approve_once', '')}>
              {t('approve_once')} <kbd>A</kbd>
            </Button>
            <Show when={props.asked.remembers}>
              <Button busy={busy() === 'approve'} onClick={() => void answer('approve', '')}>
                {t('approve_always')}
              </Button>
            </Show>
            <Button kind="quiet" onClick={() => setDenying(true)}>
              {t('deny_with_reason')} <kbd>D</kbd>
            </Button>
          </Match>
        </Switch>
        <span class="meta">{t('expires', { time: whenText(props.asked.expires_at) })}</span>
      </footer>
    </section>
  )
}
