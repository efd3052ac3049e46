import { Button, Checkbox, newId, SelectField, showToast, TextArea } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { allowingSecret, textProblem } from './memory-actions.js'
import { type Names, scopeChoices, scopeOf } from './read-memory.js'
import { t } from './texts.js'

/** The button that has something remembered, with its form. The list follows by the event. */
export function AddMemory(props: { readonly names: Names }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <Button kind="main" icon="plus" onClick={() => setOpen(true)}>
        {t('add')}
      </Button>
      <Show when={isOpen()}>
        <AddDialog names={props.names} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

function AddDialog(props: { readonly names: Names; readonly onClose: () => void }): JSX.Element {
  const [idempotencyKey, allowedKey] = [newId(), newId()]
  const form = createForm({
    initial: { text: '', scope: 'user', pinned: false },
    check: ({ text }) => textProblem(text),
    submit: async ({ text, scope, pinned }) => {
      const body = { text: text.trim(), scope: scopeOf(scope) ?? { kind: 'user' as const }, pinned }
      const isAdded = await allowingSecret((allowed) =>
        api.post('/api/memory', { body: { ...body, ...allowed }, idempotencyKey: 'allow_secret' in allowed ? allowedKey : idempotencyKey }),
      )
      if (isAdded === undefined) return false
      props.onClose()
      showToast(t('added'))
      return true
    },
  })
  return (
    <FormDialog form={form} title={t('add')} action={t('add')} onClose={props.onClose}>
      <TextArea label={t('add_text')} help={t('add_text_help')} {...form.field('text')} />
      <SelectField label={t('scope')} choices={scopeChoices(props.names)} {...form.field('scope', '/scope/agent_id')} />
      <Checkbox label={t('pin')} help={t('pinned_help')} value={form.values().pinned} onInput={(pinned) => form.set('pinned', pinned)} />
    </FormDialog>
  )
}
