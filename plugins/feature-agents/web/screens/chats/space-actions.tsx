import { Button, confirmAction, createAction, TextArea, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { putSpace, type Space } from '../../chats/spaces.js'
import { t } from './texts.js'

/** Makes a space, or changes and deletes the one that is shown. */
export function SpaceActions(props: {
  readonly space: Space | undefined
  readonly onMade: (id: string) => void
  readonly onGone: () => void
}): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const save = async (body: { readonly name: string; readonly context: string }): Promise<void> => {
    const { space } = props
    if (space) return putSpace(await api.patch('/api/spaces/{space_id}', { path: { space_id: space.id }, body }))
    const made = await api.post('/api/spaces', { body })
    putSpace(made)
    props.onMade(made.id)
  }
  const remove = async ({ id, name }: Space): Promise<void> => {
    const yes = await confirmAction({
      title: t('delete_space_question', { name }),
      text: t('delete_space_text'),
      action: t('delete_space_action'),
      keep: t('keep'),
    })
    if (!yes) return
    await api.delete('/api/spaces/{space_id}', { path: { space_id: id } })
    setOpen(false)
    props.onGone()
  }
  return (
    <>
      <Button icon={props.space ? 'pencil' : 'plus'} onClick={() => setOpen(true)}>
        {props.space ? t('change_space') : t('new_space')}
      </Button>
      <Show when={open()}>
        <SpaceDialog space={props.space} onSave={save} onDelete={remove} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

function SpaceDialog(props: {
  readonly space: Space | undefined
  readonly onSave: (body: { readonly name: string; readonly context: string }) => Promise<void>
  readonly onDelete: (space: Space) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const form = createForm({
    initial: { name: props.space?.name ?? '', context: props.space?.context ?? '' },
    submit: async ({ name, context }) => {
      await props.onSave({ name: name.trim(), context })
      props.onClose()
    },
  })
  const removing = createAction(props.onDelete)
  return (
    <FormDialog
      dismissible
      form={{ ...form, failure: () => form.failure() ?? removing.failure() }}
      title={props.space ? t('change_space') : t('new_space')}
      action={t('save')}
      disabled={form.values().name.trim() === ''}
      onClose={props.onClose}
      aside={
        <Show when={props.space}>
          {(space) => (
            <Button kind="danger" onClick={() => void removing.run(space())}>
              {t('delete_space')}
            </Button>
          )}
        </Show>
      }
    >
      <TextField label={t('name')} maxLength={200} autofocus {...form.field('name')} />
      <TextArea label={t('context')} help={t('context_help')} {...form.field('context')} />
    </FormDialog>
  )
}
