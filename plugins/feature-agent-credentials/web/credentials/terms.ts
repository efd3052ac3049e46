import { untilText } from '@agent-service/sdk/web'
import type { Grant } from './source.js'
import { t } from './texts.js'

/** How long a grant lasts, as people choose it. */
export const terms = ['once', 'hour', 'day', 'week', 'month', 'good'] as const
export type Term = (typeof terms)[number]

const daySeconds = 86_400
const seconds: Readonly<Record<Term, number | null>> = {
  once: null,
  hour: 3_600,
  day: daySeconds,
  week: 7 * daySeconds,
  month: 30 * daySeconds,
  good: null,
}

/** The members of a request. */
export const termBody = (term: Term) => ({ once: term === 'once', expires_in_secs: seconds[term] })

export const termChoices = () => terms.map((value) => ({ value, label: t(`term_${value}`) }))

/** `Once`, `In 3 hours`, `For good`: what a cell of the matrix says. */
export function termText({ once, expires_at: expiresAt }: Pick<Grant, 'once' | 'expires_at'>): string {
  if (expiresAt === null) return once ? t('term_once') : t('term_good')
  return once ? t('once_ends', { when: untilText(expiresAt) }) : t('ends', { when: untilText(expiresAt) })
}
