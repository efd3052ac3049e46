import { errorText, type ItemAction, type ItemTarget, loadPart, showToast } from '@agent-service/sdk/web'
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
