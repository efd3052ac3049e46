import { openDialog } from '../../ui/dialog.js'
import { ShareDialog } from './share-dialog.js'
import type { ShareTarget } from './share-item.js'

/** Opens the dialog over whatever screen is shown. */
export const showShareDialog = (target: ShareTarget): void => openDialog((close) => <ShareDialog target={target} onClose={close} />)
