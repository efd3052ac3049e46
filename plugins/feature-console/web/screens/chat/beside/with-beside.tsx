import { type JSX, onCleanup, Show } from 'solid-js'
import { lazyPart } from '../../../ui/part.js'
import { addBesidePlace, besideFile, closeBeside } from './beside.js'

const BesidePanel = lazyPart(
  () => import('./beside-panel.js'),
  (module) => module.BesidePanel,
)

/** A chat, with the file that is shown beside it. */
export function WithBeside(props: { readonly children: JSX.Element }): JSX.Element {
  onCleanup(addBesidePlace())
  return (
    <div class="beside-layout">
      <div class="beside-chat">{props.children}</div>
      <Show when={besideFile()}>{(file) => <BesidePanel file={file()} onClose={closeBeside} />}</Show>
    </div>
  )
}
