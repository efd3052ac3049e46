import './prompts.css'
import { Checkbox, isAdmin, isProblem, showToast, TextArea, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { For, type JSX, Show } from 'solid-js'
import { api, invalidate, type Schemas } from '../../api/index.js'
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
}): JSX.Element {
  const first = props.prompt ?? props.begin
  const wasShared = props.prompt?.shared === 'everyone'
  /** Saved already, if only sharing it failed. */
  let saved: Pick<Prompt, 'id' | 'version'> | undefined = props.prompt
  const form = createForm({
    initial: { command: first?.command ?? '', title: first?.title ?? '', text: first?.text ?? '', isShared: wasShared },
    codes: { prompt_command_taken: '/command' },
    async submit({ title, text, isShared, ...typed }) {
      const body = { command: typed.command.trim() || commandOf(title), title: title.trim(), text }
      if (saved) {
        const headers = { 'if-match': `"${saved.version}"` }
        saved = await api.patch('/api/prompts/{prompt_id}', { path: { prompt_id: saved.id }, body, headers })
      } else saved = await api.post('/api/prompts', { body })
      if (isShared !== wasShared) {
        const path = { prompt_id: saved.id }
        await api.put('/api/admin/prompts/{prompt_id}/shared', { path, body: { shared: isShared ? 'everyone' : 'me' } })
      }
      invalidate(['prompts'])
      props.onClose()
      showToast(t('saved', { command: body.command }))
    },
  })
  const commandProblem = (): string | undefined => {
    const said = form.problem('/command')
    return said === undefined || isProblem(form.error(), 'prompt_command_taken') ? said : t('command_help')
  }
  const title = (): string => (props.prompt ? t('edit_title', { command: props.prompt.command }) : t('new'))
  return (
    <FormDialog form={form} title={title()} action={t('save')} dismissible onClose={props.onClose}>
      <TextField label={t('title_field')} autofocus maxLength={120} {...form.field('title')} />
      <TextField
        label={t('command')}
        help={t('command_help')}
        mono
        maxLength={32}
        placeholder={commandOf(form.values().title)}
        {...form.field('command')}
        error={commandProblem()}
      />
      <TextArea label={t('text')} help={t('text_help', written)} rows={6} {...form.field('text')} />
      <Variables text={form.values().text} />
      <Show when={isAdmin()}>
        <Checkbox label={t('everyone')} help={t('everyone_help')} {...form.field('isShared')} />
      </Show>
    </FormDialog>
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
