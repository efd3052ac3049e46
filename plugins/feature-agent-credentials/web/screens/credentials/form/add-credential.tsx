import '../../../credentials/fields.css'
import { Button, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import { nameProblem, titleProblem } from '../../../credentials/name-problems.js'
import { t as shared } from '../../../credentials/texts.js'
import { nameFrom } from '../../../credentials/variable-names.js'
import { bodyOf, emptyField, type FieldDraft, fieldProblems } from '../common/field-draft.js'
import { t } from '../common/texts.js'
import { FieldFields } from './field-fields.js'

/** The button that adds a credential, with its form. */
export function AddCredential(): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <Button kind="main" icon="plus" onClick={() => setOpen(true)}>
        {t('add')}
      </Button>
      <Show when={isOpen()}>
        <Form onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

function Form(props: { readonly onClose: () => void }): JSX.Element {
  const form = createForm<Typed>({
    initial: { title: '', ownName: undefined, fields: [{ ...emptyField, name: 'token' }] },
    check: (typed) => ({ ...titleProblem(typed.title), ...nameProblem(nameIn(typed)), ...fieldProblems(typed.fields) }),
    codes: { credential_name_taken: '/name' },
    submit: async (typed) => {
      const title = typed.title.trim()
      await api.post('/api/credentials', { body: { name: nameIn(typed).trim(), title, fields: bodyOf(typed.fields) } })
      showToast(t('when_added', { title }))
      props.onClose()
    },
  })
  return (
    <FormDialog form={form} title={t('add')} action={t('add')} wide onClose={props.onClose}>
      <div class="credentials-two">
        <TextField label={t('title_field')} help={t('title_field_help')} autofocus maxLength={200} {...form.field('title')} />
        <TextField
          label={shared('name')}
          help={t('name_help')}
          mono
          maxLength={64}
          value={nameIn(form.values())}
          onInput={(name) => form.set('ownName', name)}
          error={form.problem('/name')}
        />
      </div>
      <FieldFields fields={form.values().fields} problem={form.problem} onInput={(fields) => form.set('fields', fields)} />
    </FormDialog>
  )
}

interface Typed {
  readonly title: string
  readonly ownName: string | undefined
  readonly fields: readonly FieldDraft[]
}

/** Made of the title until the person writes one. */
const nameIn = ({ title, ownName }: Typed): string => ownName ?? (title.trim() === '' ? '' : nameFrom(title))
