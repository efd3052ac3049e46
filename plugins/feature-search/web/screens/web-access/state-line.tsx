import { type MarkName, StateMark } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'

/** What is so, with its mark, and what to do where it should not stay so. */
export function StateLine(props: { readonly mark: MarkName; readonly title: string; readonly children?: JSX.Element }): JSX.Element {
  return (
    <div class="web-state" role="status">
      <StateMark mark={props.mark}>
        <b>{props.title}</b>
      </StateMark>
      <Show when={props.children}>
        <div class="web-state-more">{props.children}</div>
      </Show>
    </div>
  )
}
