import { TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import type { Counter } from './api.js'
import { addCounter, renameCounter } from './counters.js'
import { fieldText, t } from './texts.js'

/** Begins to count something, or renames it. The service checks the name: what is wrong with it stands at the field. */
export function CounterDialog(props: {
  /** The one that is renamed; absent: a new one. */
  readonly counter: Counter | undefined
  readonly onClose: () => void
}): JSX.Element {
  const { counter } = props
  const form = createForm({
    initial: { name: counter?.name ?? '' },
    async submit({ name }) {
      await (counter ? renameCounter(counter, name.trim()) : addCounter(name.trim()))
      props.onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={counter ? t('rename_title', { name: counter.name }) : t('add')}
      action={t(counter ? 'save' : 'add_action')}
      onClose={props.onClose}
    >
      <TextField label={t('name')} help={t('name_help')} autofocus {...form.field('name')} error={problemOf(form.problem('/name'))} />
    </FormDialog>
  )
}

const problemOf = (said: string | undefined): string | undefined => (said === undefined ? undefined : fieldText(said).text)
