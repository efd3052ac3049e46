import { type ItemTarget, openDialog } from '@agent-service/sdk/web'
import { ShareDialog } from './share-dialog.js'

/** Opens the dialog over whatever screen is shown. */
export const showShareDialog = (target: ItemTarget): void => openDialog((close) => <ShareDialog target={target} onClose={close} />)
