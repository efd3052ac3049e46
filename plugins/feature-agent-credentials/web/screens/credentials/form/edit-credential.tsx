import { showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { api } from '../../../api/index.js'
import { BindingFields, bindingsBody, boundIn } from '../../../credentials/binding-fields.js'
import { titleProblem } from '../../../credentials/name-problems.js'
import type { Credential } from '../../../credentials/source.js'
import { t } from '../common/texts.js'

/** Changes the title of a credential, and the variables that new grants have. */
export function EditCredential(props: { readonly credential: Credential; readonly onClose: () => void }): JSX.Element {
  const { credential } = props
  const form = createForm({
    initial: { title: credential.title, bindings: boundIn(credential.fields) },
    check: ({ title }) => titleProblem(title),
    submit: async ({ title, bindings }) => {
      const body = { title: title.trim(), bindings: bindingsBody(bindings) }
      await api.patch('/api/credentials/{credential_id}', { path: { credential_id: credential.id }, body })
      showToast(t('saved', { title: body.title }))
      props.onClose()
    },
  })
  return (
    <FormDialog form={form} title={t('edit_title', { title: credential.title })} action={t('save')} wide onClose={props.onClose}>
      <TextField label={t('title_field')} help={t('title_field_help')} autofocus maxLength={200} {...form.field('title')} />
      <BindingFields
        bindings={form.values().bindings}
        problem={form.problem}
        help={t('variable_help')}
        onInput={(bindings) => form.set('bindings', bindings)}
      />
    </FormDialog>
  )
}
