import { Button, Dialog, Failure } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onMount, Show } from 'solid-js'
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
  const [chosen, setChosen] = createSignal(props.spaceId ?? none)
  const [name, setName] = createSignal('')
  const [error, setError] = createSignal<unknown>()
  const [busy, setBusy] = createSignal(false)
  onMount(() => void readSpaces())
  const target = async (): Promise<string | null> => {
    if (chosen() !== fresh) return chosen() === none ? null : chosen()
    const space = await api.post('/api/spaces', { body: { name: name().trim() } })
    putSpace(space)
    setChosen(space.id)
    return space.id
  }
  const isReady = (): boolean => chosen() !== fresh || name().trim() !== ''
  const move = async (): Promise<void> => {
    if (busy() || !isReady()) return
    setBusy(true)
    setError(undefined)
    try {
      await props.onMove(await target())
      props.onClose()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const option = (value: string, label: string): JSX.Element => (
    <label class="check">
      <input type="radio" name="space" value={value} checked={chosen() === value} onChange={() => setChosen(value)} />
      <bdi>{label}</bdi>
    </label>
  )
  return (
    <Dialog title={t('move_title', { title: props.title })} onClose={props.onClose}>
      <form
        class="move"
        onSubmit={(event) => {
          event.preventDefault()
          void move()
        }}
      >
        <fieldset class="move-list" aria-label={t('spaces')}>
          {option(none, t('no_space'))}
          <For each={knownSpaces()}>{(space) => option(space.id, space.name)}</For>
          {option(fresh, t('new_space'))}
        </fieldset>
        <Show when={chosen() === fresh}>
          <label class="field">
            <span class="lbl">{t('space_name')}</span>
            <span class="in">
              <input
                type="text"
                maxlength={200}
                ref={(element) => queueMicrotask(() => element.focus())}
                value={name()}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </span>
          </label>
        </Show>
        <Show when={spacesError()}>{(cause) => <Failure error={cause()} onRetry={() => void readSpaces()} />}</Show>
        <Show when={error()}>{(cause) => <Failure error={cause()} />}</Show>
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {t('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()} disabled={!isReady()}>
            {t('save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
