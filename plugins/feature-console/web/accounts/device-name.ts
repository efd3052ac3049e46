import type { Schemas } from '../api/index.js'
import { t } from './texts.js'

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox, Linux`, as far as what the browser said can be recognised. */
export function deviceOf({ user_agent: agent }: Pick<Schemas['Session'], 'user_agent'>): string {
  const found = [browsers, systems].map((names) => names.find(([mark]) => agent.includes(mark))?.[1]).filter((name) => name !== undefined)
  return found.length > 0 ? found.join(', ') : agent.slice(0, 60) || t('unknown_device')
}
