import { showToast } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { api } from '../../../api/index.js'
import type { Credential } from '../../../credentials/source.js'
import { bodyOf, draftsOf, fieldProblems } from '../common/field-draft.js'
import { t } from '../common/texts.js'
import { FieldFields } from './field-fields.js'

/** Enters all values of a credential again. */
export function ReplaceValues(props: { readonly credential: Credential; readonly onClose: () => void }): JSX.Element {
  const { credential } = props
  const form = createForm({
    initial: { fields: draftsOf(credential) },
    check: ({ fields }) => fieldProblems(fields),
    submit: async ({ fields }) => {
      await api.put('/api/credentials/{credential_id}/fields', { path: { credential_id: credential.id }, body: { fields: bodyOf(fields) } })
      showToast(t('replaced', { title: credential.title }))
      props.onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('replace_title', { title: credential.title })}
      action={t('replace_action')}
      wide
      onClose={props.onClose}
    >
      <p class="credentials-note">{t('replace_help')}</p>
      <FieldFields fields={form.values().fields} problem={form.problem} onInput={(fields) => form.set('fields', fields)} />
    </FormDialog>
  )
}
