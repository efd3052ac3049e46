import { loadPart } from '../../core/load-part.js'
import type { MenuItem } from '../../ui/menu.js'
import { showToast } from '../../ui/notices.js'
import { errorText } from '../../ui/states.js'
import { t } from './item-texts.js'

/** What a link is made to. */
export type ShareTarget = { readonly name: string } & ({ readonly path: string } | { readonly chatId: string })

/** The entry of a menu that shares a file or a chat. */
export const shareItem = (target: ShareTarget): MenuItem => ({
  label: t('share'),
  icon: 'share',
  run: () => {
    loadPart(() => import('./show-share-dialog.js'))
      .then(({ showShareDialog }) => showShareDialog(target))
      .catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
  },
})
