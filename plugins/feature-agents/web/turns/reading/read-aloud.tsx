import { IconButton } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { pauseReading, readAloud, readingState, resumeReading, stopReading } from './reader.js'
import { t } from './texts.js'

/** The buttons that read an answer aloud. Reading stops when the answer leaves the page. */
export function ReadAloud(props: { readonly text: () => string }): JSX.Element {
  const [turn, setTurn] = createSignal<HTMLElement>()
  let root: HTMLElement | undefined
  const state = (): ReturnType<typeof readingState> => {
    const element = turn()
    return element ? readingState(element) : 'silent'
  }
  const begin = (): void => {
    const element = root?.closest<HTMLElement>('.turn')
    if (!element) return
    setTurn(element)
    readAloud(element, props.text())
  }
  onCleanup(() => {
    const element = turn()
    if (element) stopReading(element)
  })
  return (
    <span
      class="read-aloud"
      ref={(element) => {
        root = element
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
          onClick={() => (state() === 'pauses' ? resumeReading() : pauseReading())}
        />
      </Show>
    </span>
  )
}
