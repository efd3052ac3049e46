import { Failure } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { For, type JSX, onMount, Show } from 'solid-js'
import { api } from '../api/index.js'
import { knownSpaces, putSpace, readSpaces, spacesError } from './spaces.js'
import { t } from './texts.js'

const none = ''
const fresh = 'new'

/** Asks for the space that a chat belongs to; a new one can be named in place. */
export function MoveDialog(props: {
  readonly title: string
  readonly spaceId: string | null
  readonly onMove: (spaceId: string | null) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  onMount(() => void readSpaces())
  const form = createForm({
    initial: { chosen: props.spaceId ?? none, name: '' },
    submit: async ({ chosen, name }) => {
      await props.onMove(chosen === fresh ? await makeSpace(name.trim()) : chosen === none ? null : chosen)
      props.onClose()
    },
  })
  /** Tried again, the chat is moved to the space that was made. */
  const makeSpace = async (name: string): Promise<string> => {
    const space = await api.post('/api/spaces', { body: { name } })
    putSpace(space)
    form.set('chosen', space.id)
    return space.id
  }
  const isFresh = (): boolean => form.values().chosen === fresh
  const name = form.field('name')
  const option = (value: string, label: string): JSX.Element => (
    <label class="check">
      <input type="radio" name="space" value={value} checked={form.values().chosen === value} onChange={() => form.set('chosen', value)} />
      <bdi>{label}</bdi>
    </label>
  )
  return (
    <FormDialog
      dismissible
      form={form}
      title={t('move_title', { title: props.title })}
      action={t('save')}
      disabled={isFresh() && name.value.trim() === ''}
      onClose={props.onClose}
    >
      <fieldset class="move-list" aria-label={t('spaces')}>
        {option(none, t('no_space'))}
        <For each={knownSpaces()}>{(space) => option(space.id, space.name)}</For>
        {option(fresh, t('new_space'))}
      </fieldset>
      <Show when={isFresh()}>
        <label class="field">
          <span class="lbl">{t('space_name')}</span>
          <span class="in">
            <input
              type="text"
              maxlength={200}
              ref={(element) => queueMicrotask(() => element.focus())}
              value={name.value}
              onInput={(event) => name.onInput(event.currentTarget.value)}
            />
          </span>
        </label>
      </Show>
      <Show when={spacesError()}>{(cause) => <Failure error={cause()} onRetry={() => void readSpaces()} />}</Show>
    </FormDialog>
  )
}
