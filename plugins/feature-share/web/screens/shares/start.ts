import { addItemActions } from '@agent-service/sdk/web'
import { shareAction } from './share-action.js'

/** Sharing in the menus of files and chats. */
export function start(): void {
  addItemActions({ order: 10, actionsFor: (target) => [shareAction(target)] })
}
