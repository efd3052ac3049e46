import type { ItemTarget } from '../../app/item-actions.js'
import { openDialog } from '../../ui/dialog.js'
import { ShareDialog } from './share-dialog.js'

/** Opens the dialog over whatever screen is shown. */
export const showShareDialog = (target: ItemTarget): void => openDialog((close) => <ShareDialog target={target} onClose={close} />)
