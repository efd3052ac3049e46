import './prompts.css'
import {
  Button,
  Checkbox,
  Dialog,
  Failure,
  fieldMessage,
  isAdmin,
  isProblem,
  showToast,
  TextArea,
  TextField,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { commandOf, type FilePrompt } from './import-file.js'
import { t } from './texts.js'
import { variablesOf } from './variables.js'

export type Prompt = Schemas['Prompt']

/** How variables are written. */
const written = { variable: '{{name}}', preset: '{{language=German}}', date: '{{date}}' }

/** Saves a new prompt, or changes one. What was typed stays when the service refuses it. */
export function PromptDialog(props: {
  /** The one that is changed; absent: a new one. */
  readonly prompt?: Prompt | undefined
  /** What a new one begins with. */
  readonly begin?: Partial<FilePrompt> | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}): JSX.Element {
  const first = props.prompt ?? props.begin
  const [command, setCommand] = createSignal(first?.command ?? '')
  const [title, setTitle] = createSignal(first?.title ?? '')
  const [text, setText] = createSignal(first?.text ?? '')
  const [isShared, setIsShared] = createSignal(props.prompt?.shared === 'everyone')
  const [failure, setFailure] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  /** Saved already, if only sharing it failed. */
  let saved: Pick<Prompt, 'id' | 'version'> | undefined = props.prompt
  let wasShared = isShared()
  const messageOf = (path: string): string | undefined => {
    const message = fieldMessage(failure(), path, path === '/command' ? 'prompt_command_taken' : '')
    return message !== undefined && path === '/command' && !isProblem(failure(), 'prompt_command_taken') ? t('command_help') : message
  }
  const store = async (): Promise<void> => {
    const body = { command: command().trim() || commandOf(title()), title: title().trim(), text: text() }
    if (saved) {
      const headers = { 'if-match': `"${saved.version}"` }
      saved = await api.patch('/api/prompts/{prompt_id}', { path: { prompt_id: saved.id }, body, headers })
    } else saved = await api.post('/api/prompts', { body })
    if (isShared() === wasShared) return
    await api.put('/api/admin/prompts/{prompt_id}/shared', {
      path: { prompt_id: saved.id },
      body: { shared: isShared() ? 'everyone' : 'me' },
    })
    wasShared = isShared()
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      await store()
      props.onSaved()
      props.onClose()
      showToast(t('saved', { command: command().trim() || commandOf(title()) }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const isOfField = (): boolean => ['/command', '/title', '/text'].some((path) => messageOf(path) !== undefined)
  return (
    <Dialog title={props.prompt ? t('edit_title', { command: props.prompt.command }) : t('new')} onClose={props.onClose}>
      <form class="body" novalidate onSubmit={(event) => void submit(event)}>
        <TextField label={t('title_field')} autofocus maxLength={120} value={title()} onInput={setTitle} error={messageOf('/title')} />
        <TextField
          label={t('command')}
          help={t('command_help')}
          mono
          maxLength={32}
          placeholder={commandOf(title())}
          value={command()}
          onInput={setCommand}
          error={messageOf('/command')}
        />
        <TextArea label={t('text')} help={t('text_help', written)} rows={6} value={text()} onInput={setText} error={messageOf('/text')} />
        <Variables text={text()} />
        <Show when={isAdmin()}>
          <Checkbox label={t('everyone')} help={t('everyone_help')} value={isShared()} onInput={setIsShared} />
        </Show>
        <Show when={!isOfField() && failure()}>{(error) => <Failure error={error()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {ui('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()}>
            {t('save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What the text will ask for. */
function Variables(props: { readonly text: string }): JSX.Element {
  return (
    <div class="prompts-variables">
      <p class="lbl">{t('variables')}</p>
      <ul>
        <For each={variablesOf(props.text)} fallback={<li class="help">{t('none_asked')}</li>}>
          {({ name, preset }) => (
            <li>
              <bdi>{name}</bdi>
              <Show when={preset}>{<bdi class="t3">{preset}</bdi>}</Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  )
}
