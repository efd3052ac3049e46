import { Button, confirmAction, Dialog, Failure, TextArea, TextField } from '@agent-service/sdk/web'
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
  const [name, setName] = createSignal(props.space?.name ?? '')
  const [context, setContext] = createSignal(props.space?.context ?? '')
  const [error, setError] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const save = (): Promise<void> =>
    attempt(async () => {
      await props.onSave({ name: name().trim(), context: context() })
      props.onClose()
    })
  return (
    <Dialog title={props.space ? t('change_space') : t('new_space')} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name().trim() !== '') void save()
        }}
      >
        <TextField label={t('name')} value={name()} maxLength={200} autofocus onInput={setName} />
        <TextArea label={t('context')} help={t('context_help')} value={context()} onInput={setContext} />
        <Show when={error()}>{(cause) => <Failure error={cause()} />}</Show>
        <footer>
          <Show when={props.space}>
            {(space) => (
              <Button kind="danger" onClick={() => void attempt(() => props.onDelete(space()))}>
                {t('delete_space')}
              </Button>
            )}
          </Show>
          <span class="grow" />
          <Button kind="quiet" onClick={() => props.onClose()}>
            {t('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()} disabled={name().trim() === ''}>
            {t('save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
