import { showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
import { api } from '../../../api/index.js'
import { type Binding, BindingFields, bindingsBody } from '../../../credentials/binding-fields.js'
import { titleProblem } from '../../../credentials/name-problems.js'
import type { Credential } from '../../../credentials/source.js'
import { t } from '../common/texts.js'

/** Changes the title of a credential, and the variables that new grants have. */
export function EditCredential(props: {
  readonly credential: Credential
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const { credential } = props
  const [title, setTitle] = createSignal(credential.title)
  const [bindings, setBindings] = createSignal<readonly Binding[]>(
    credential.fields.map(({ name, variable, as }) => ({ field: name, variable: variable ?? '', as })),
  )
  const save = async (): Promise<void> => {
    const body = { title: title().trim(), bindings: bindingsBody(bindings()) }
    await api.patch('/api/credentials/{credential_id}', { path: { credential_id: credential.id }, body })
    showToast(t('saved', { title: body.title }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('edit_title', { title: credential.title })}
      action={t('save')}
      wide
      check={() => titleProblem(title())}
      onSubmit={save}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <TextField
            label={t('title_field')}
            help={t('title_field_help')}
            autofocus
            maxLength={200}
            value={title()}
            onInput={setTitle}
            error={problems()['/title']}
          />
          <BindingFields bindings={bindings()} problems={problems()} help={t('variable_help')} onInput={setBindings} />
        </>
      )}
    </OldFormDialog>
  )
}
