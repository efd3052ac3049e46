import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { t } from './texts.js'

/** Asks for another title. What was typed stays when saving fails. */
export function RenameDialog(props: {
  readonly title: string
  readonly onSave: (title: string) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const form = createForm({
    initial: { title: props.title },
    submit: async ({ title }) => {
      await props.onSave(title.trim())
      props.onClose()
    },
  })
  const title = form.field('title')
  return (
    <FormDialog
      dismissible
      form={form}
      title={t('rename_title')}
      action={t('save')}
      disabled={title.value.trim() === ''}
      onClose={props.onClose}
    >
      <label class="field">
        <span class="lbl">{t('title')}</span>
        <span class="in">
          <input
            type="text"
            maxlength={200}
            autofocus
            ref={(element) => queueMicrotask(() => element.select())}
            value={title.value}
            onInput={(event) => title.onInput(event.currentTarget.value)}
          />
        </span>
      </label>
    </FormDialog>
  )
}
