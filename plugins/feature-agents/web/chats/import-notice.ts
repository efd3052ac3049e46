import { currentPath, currentQuery, navigate, showToast } from '@agent-service/sdk/web'
import type { Schemas } from '../api/index.js'
import { t } from './texts.js'

type Progress = Schemas['ChatImportProgress']

/** Whether an import has ended by itself: one that the person stops needs no notice. */
export const isImportOver = ({ state }: Progress): boolean => state === 'done' || state === 'failed'

/** Says that an import has ended, wherever the person is; what came of it is in its dialog. */
export function noteImport({ state, imported }: Progress): void {
  // A person with the dialog open sees it there.
  if (currentPath() === '/chats' && currentQuery().get('import') === 'open') return
  const text = state === 'failed' ? t('import_failed') : imported === 1 ? t('imported_one') : t('imported_other', { n: imported })
  const action = { label: t('import_show'), run: () => void navigate('/chats?import=open') }
  showToast(text, { mark: state === 'failed' ? 'fail' : 'done', action })
}
