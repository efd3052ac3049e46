import '../../../credentials/fields.css'
import { Button, showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import { nameProblem, titleProblem } from '../../../credentials/name-problems.js'
import { t as shared } from '../../../credentials/texts.js'
import { nameFrom } from '../../../credentials/variable-names.js'
import { bodyOf, emptyField, type FieldDraft, fieldProblems } from '../common/field-draft.js'
import { t } from '../common/texts.js'
import { FieldFields } from './field-fields.js'

/** The button that adds a credential, with its form. */
export function AddCredential(props: { readonly onAdded: () => void }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <Button kind="main" icon="plus" onClick={() => setOpen(true)}>
        {t('add')}
      </Button>
      <Show when={isOpen()}>
        <Form
          onClose={() => setOpen(false)}
          onAdded={() => {
            setOpen(false)
            props.onAdded()
          }}
        />
      </Show>
    </>
  )
}

function Form(props: { readonly onClose: () => void; readonly onAdded: () => void }): JSX.Element {
  const [title, setTitle] = createSignal('')
  const [ownName, setOwnName] = createSignal<string>()
  const [fields, setFields] = createSignal<readonly FieldDraft[]>([{ ...emptyField, name: 'token' }])
  /** Made of the title until the person writes one. */
  const name = (): string => ownName() ?? (title().trim() === '' ? '' : nameFrom(title()))
  const add = async (): Promise<void> => {
    await api.post('/api/credentials', { body: { name: name().trim(), title: title().trim(), fields: bodyOf(fields()) } })
    showToast(t('when_added', { title: title().trim() }))
    props.onAdded()
  }
  return (
    <OldFormDialog
      title={t('add')}
      action={t('add')}
      wide
      check={() => ({ ...titleProblem(title()), ...nameProblem(name()), ...fieldProblems(fields()) })}
      onSubmit={add}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <div class="credentials-two">
            <TextField
              label={t('title_field')}
              help={t('title_field_help')}
              autofocus
              maxLength={200}
              value={title()}
              onInput={setTitle}
              error={problems()['/title']}
            />
            <TextField
              label={shared('name')}
              help={t('name_help')}
              mono
              maxLength={64}
              value={name()}
              onInput={setOwnName}
              error={problems()['/name']}
            />
          </div>
          <FieldFields fields={fields()} problems={problems()} onInput={setFields} />
        </>
      )}
    </OldFormDialog>
  )
}
