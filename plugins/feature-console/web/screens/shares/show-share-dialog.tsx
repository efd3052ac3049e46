import { render } from 'solid-js/web'
import { ShareDialog } from './share-dialog.js'
import type { ShareTarget } from './share-item.js'

/** Opens the dialog over whatever screen is shown. */
export function showShareDialog(target: ShareTarget): void {
  const place = document.createElement('div')
  document.body.append(place)
  const dispose = render(
    () => (
      <ShareDialog
        target={target}
        onClose={() => {
          dispose()
          place.remove()
        }}
      />
    ),
    place,
  )
}
