import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../../api/index.js'
import { TemporaryNote } from './temporary-note.js'
import { UnconfinedNote } from './unconfined-note.js'

/** What is to be known of a chat while something is written in it. */
export function DockNotes(props: {
  readonly chat: Schemas['Chat'] | undefined
  readonly onChange: (chat: Schemas['Chat']) => void
}): JSX.Element {
  return (
    <>
      <UnconfinedNote agentId={props.chat?.agent_id} />
      <Show when={props.chat?.expires_at}>
        {(expiresAt) => <TemporaryNote chatId={props.chat?.id ?? ''} expiresAt={expiresAt()} onKept={props.onChange} />}
      </Show>
    </>
  )
}
