import type { ItemAction, ItemTarget } from '../../app/item-actions.js'
import { loadPart } from '../../core/load-part.js'
import { showToast } from '../../ui/notices.js'
import { errorText } from '../../ui/states.js'
import { t } from './action-texts.js'
import { canShare } from './sharing.js'

/** Makes a link to a file or a chat; the dialog is loaded with the first one. */
export const shareAction = (target: ItemTarget): ItemAction => ({
  label: t('share'),
  namedLabel: t('share_named', { name: target.name }),
  icon: 'share',
  hasPopup: 'dialog',
  isUsable: canShare,
  run: () => {
    loadPart(() => import('./show-share-dialog.js'))
      .then(({ showShareDialog }) => showShareDialog(target))
      .catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
  },
})
