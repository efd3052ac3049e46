import { openDialog } from '@agent-service/sdk/web'
import { PromptDialog } from './prompt-dialog.js'

/** Opens the dialog for a new prompt with this text. */
export const showPromptDialog = (text: string): void => openDialog((close) => <PromptDialog begin={{ text }} onClose={close} />)
