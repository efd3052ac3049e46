import './with-beside.css'
import { lazyPart } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { addBesidePlace, besideFile, closeBeside } from './beside.js'

const BesidePanel = lazyPart(
  () => import('./beside-panel.js'),
  (module) => module.BesidePanel,
)

/** A chat, with the file that is shown beside it. While the file lies over the chat, nothing in the chat can be reached. */
export function WithBeside(props: { readonly children: JSX.Element }): JSX.Element {
  onCleanup(addBesidePlace())
  const [isCovered, setCovered] = createSignal(false)
  return (
    <div class="beside-layout" classList={{ covers: isCovered() }}>
      <div class="beside-chat" inert={isCovered()}>
        {props.children}
      </div>
      <Show when={besideFile()}>{(file) => <BesidePanel file={file()} onClose={closeBeside} onCover={setCovered} />}</Show>
    </div>
  )
}
