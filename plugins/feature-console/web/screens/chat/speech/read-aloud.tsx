import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { IconButton } from '../../../ui/button.js'
import { goOnReading, pauseReading, readAloud, readingState, stopReading } from './reader.js'
import { t } from './reading-texts.js'

/** Reads an answer aloud: begins, pauses, goes on, ends. Ends with the answer's place in the page. */
export function ReadAloud(props: { readonly text: () => string }): JSX.Element {
  const [turn, setTurn] = createSignal<HTMLElement>()
  let place: HTMLElement | undefined
  const state = (): ReturnType<typeof readingState> => {
    const found = turn()
    return found ? readingState(found) : 'silent'
  }
  const begin = (): void => {
    const found = place?.closest<HTMLElement>('.turn')
    if (!found) return
    setTurn(found)
    readAloud(found, props.text())
  }
  onCleanup(() => {
    const found = turn()
    if (found) stopReading(found)
  })
  return (
    <span
      class="read-aloud"
      ref={(element) => {
        place = element
      }}
    >
      <IconButton
        icon={state() === 'silent' ? 'volume' : 'player-stop'}
        size="small"
        name={state() === 'silent' ? t('read') : t('stop_reading')}
        onClick={() => (state() === 'silent' ? begin() : stopReading())}
      />
      <Show when={state() !== 'silent'}>
        <IconButton
          icon={state() === 'pauses' ? 'player-play' : 'player-pause'}
          size="small"
          name={state() === 'pauses' ? t('go_on') : t('pause')}
          onClick={() => (state() === 'pauses' ? goOnReading() : pauseReading())}
        />
      </Show>
    </span>
  )
}
