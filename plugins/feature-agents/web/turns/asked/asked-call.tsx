import { CallWords, callPieces, language, visibleLine } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { knownTool } from '../../live-chat/known-tools.js'
import type { Asked } from '../../live-chat/read-asked.js'

/** Whether the tool has words for what this call would do, in the language of the page or in English. */
export const isTold = ({ tool, arguments: given }: Asked): boolean => callPieces(knownTool(tool), 'ask', given) !== undefined

/**
 * What an agent asks for: its question, or what a call would do. In English the tool's own sentence about it, which may
 * say more; in other languages the words of the tool, as far as it has some.
 */
export function AskedCall(props: { readonly asked: Asked }): JSX.Element {
  const hasOwn = (): boolean => props.asked.kind !== 'approval' || language() === 'en'
  return (
    <Show
      when={!hasOwn() && isTold(props.asked)}
      fallback={<bdi lang={hasOwn() ? undefined : 'en'}>{visibleLine(props.asked.purpose)}</bdi>}
    >
      <CallWords tool={knownTool(props.asked.tool)} stage="ask" given={props.asked.arguments} />
    </Show>
  )
}
