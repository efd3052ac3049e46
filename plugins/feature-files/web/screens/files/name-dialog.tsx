import { isProblem, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { isName } from './paths.js'
import { t } from './texts.js'

/** Asks for the name of a folder or a file. What was typed stays when the service refuses it. */
export function NameDialog(props: {
  readonly title: string
  readonly action: string
  readonly name: string
  readonly onClose: () => void
  readonly onSubmit: (name: string) => Promise<void>
}): JSX.Element {
  const form = createForm({
    initial: { name: props.name },
    check: ({ name }) => (isName(name.trim()) ? {} : { '/name': t('name_wrong') }),
    codes: { file_conflict: '/name' },
    submit: async (typed) => {
      const name = typed.name.trim()
      if (name !== props.name) await props.onSubmit(name)
      props.onClose()
    },
  })
  const problem = (): string | undefined => {
    const found = form.problem('/name')
    return isProblem(form.error(), 'file_conflict') ? t('name_taken') : found
  }
  return (
    <FormDialog form={form} title={props.title} action={props.action} dismissible onClose={props.onClose}>
      <TextField label={t('name')} autofocus maxLength={255} {...form.field('name')} error={problem()} />
    </FormDialog>
  )
}
