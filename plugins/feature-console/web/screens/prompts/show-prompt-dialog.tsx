import { render } from 'solid-js/web'
import { PromptDialog } from './prompt-dialog.js'

/** Opens the dialog for a new prompt with this text, over whatever screen is shown. */
export function showPromptDialog(text: string): void {
  const place = document.body.appendChild(document.createElement('div'))
  const dispose = render(
    () => (
      <PromptDialog
        begin={{ text }}
        onSaved={() => undefined}
        onClose={() => {
          dispose()
          place.remove()
        }}
      />
    ),
    place,
  )
}
