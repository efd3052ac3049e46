import { visibleLine } from '@agent-service/sdk/web'
import type { Asked } from '../../live-chat/read-asked.js'
import { t } from './texts.js'

/** What a person has allowed with their approval of a call; undefined if they have approved none. */
export function allowedWords(decided: Asked | undefined): string | undefined {
  if (decided?.kind !== 'approval' || decided.status !== 'approved') return undefined
  const allowed = decided.scopes.find(({ key }) => key === decided.scope)
  return allowed === undefined ? t('allowed_once') : t('allowed_from_now', { label: visibleLine(allowed.label) })
}
