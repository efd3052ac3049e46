import { showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
import { AccessFields } from '../common/access-fields.js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { bodyOf, type Choices, choicesOf } from '../common/choices.js'
import { t } from '../common/texts.js'

/** Another title, agent or policy. The connection itself stays. */
export function ChangeDialog(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: Channel | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const [title, setTitle] = createSignal(props.connection.title)
  const [choices, setChoices] = createSignal<Choices>(choicesOf(props.connection))
  const submit = async (): Promise<void> => {
    await props.channels.change(props.connection.id, { title: title().trim(), ...bodyOf(choices(), props.channels.isShared) })
    showToast(t('changed', { title: title().trim() }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('change_choices')}
      action={t('save')}
      check={() => (title().trim() === '' ? { '/title': t('required') } : {})}
      onSubmit={submit}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <TextField label={t('title_of')} maxLength={200} value={title()} onInput={setTitle} error={problems()['/title']} />
          <AccessFields
            isShared={props.channels.isShared}
            hasGroups={props.kind?.supports['groups'] ?? true}
            value={choices()}
            onInput={setChoices}
            toolsProblem={Object.entries(problems()).find(([path]) => path.startsWith('/guest_tools'))?.[1]}
          />
        </>
      )}
    </OldFormDialog>
  )
}
