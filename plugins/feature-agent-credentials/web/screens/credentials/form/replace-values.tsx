import { showToast } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
import { api } from '../../../api/index.js'
import type { Credential } from '../../../credentials/source.js'
import { bodyOf, draftsOf, fieldProblems } from '../common/field-draft.js'
import { t } from '../common/texts.js'
import { FieldFields } from './field-fields.js'

/** Enters all values of a credential again. */
export function ReplaceValues(props: {
  readonly credential: Credential
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const { credential } = props
  const [fields, setFields] = createSignal(draftsOf(credential))
  const replace = async (): Promise<void> => {
    await api.put('/api/credentials/{credential_id}/fields', { path: { credential_id: credential.id }, body: { fields: bodyOf(fields()) } })
    showToast(t('replaced', { title: credential.title }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('replace_title', { title: credential.title })}
      action={t('replace_action')}
      wide
      check={() => fieldProblems(fields())}
      onSubmit={replace}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <p class="credentials-note">{t('replace_help')}</p>
          <FieldFields fields={fields()} problems={problems()} onInput={setFields} />
        </>
      )}
    </OldFormDialog>
  )
}
