import type { Configuration } from '@agent-service/sdk/web/configuration'
import { type JSX, Show } from 'solid-js'
import type { Editing } from './editing.js'
import { Review } from './review.js'

/** The review of what is edited, while it is open. */
export function EditingReview(props: {
  readonly editing: Editing
  readonly configuration: Configuration
  readonly link: (path: string) => JSX.Element
}): JSX.Element {
  const { editing } = props
  return (
    <Show when={editing.isReviewing()}>
      <Review
        configuration={props.configuration}
        edits={editing.edits()}
        changes={editing.changes()}
        check={editing.check()}
        merge={editing.merge()}
        link={props.link}
        onKeep={editing.keep}
        onDrop={(path) => editing.put(path, undefined)}
        onClose={editing.close}
        onStale={editing.onStale}
        onRefused={editing.setRefused}
        onSaved={editing.finish}
      />
    </Show>
  )
}
