import { showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { AccessFields } from '../common/access-fields.js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { bodyOf, choicesOf } from '../common/choices.js'
import { t } from '../common/texts.js'

/** Another title, agent or policy. The connection itself stays. */
export function ChangeDialog(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: Channel | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const form = createForm({
    initial: { title: props.connection.title, choices: choicesOf(props.connection) },
    check: ({ title }) => (title.trim() === '' ? { '/title': t('required') } : {}),
    async submit({ title, choices }) {
      await props.channels.change(props.connection.id, { title: title.trim(), ...bodyOf(choices, props.channels.isShared) })
      showToast(t('changed', { title: title.trim() }))
      props.onDone()
    },
  })
  return (
    <FormDialog form={form} title={t('change_choices')} action={t('save')} onClose={props.onClose}>
      <TextField label={t('title_of')} maxLength={200} {...form.field('title')} />
      <AccessFields
        isShared={props.channels.isShared}
        hasGroups={props.kind?.supports['groups'] ?? true}
        {...form.field('choices')}
        toolsProblem={form.problem('/guest_tools')}
      />
    </FormDialog>
  )
}
