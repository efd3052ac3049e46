import { loadPart } from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import type { FileCards } from './file-cards.js'
import type { MadeFile } from './made-file.js'

const [cards, setCards] = createSignal<typeof FileCards>()

/** Loads the cards, with the first file. After a failure the next file asks again; all files are on the page Files as well. */
function loadCards(): void {
  if (cards() !== undefined) return
  loadPart(() => import('./file-cards.js')).then(
    (module) => void setCards(() => module.FileCards),
    () => undefined,
  )
}

/** The files that the calls of a turn have made, as cards at its end. */
export function MadeFiles(props: { readonly files: readonly MadeFile[] }): JSX.Element {
  createEffect(() => {
    if (props.files.length > 0) loadCards()
  })
  return (
    <Show when={props.files.length > 0 && cards()} keyed>
      {(Cards) => <Cards files={props.files} />}
    </Show>
  )
}
