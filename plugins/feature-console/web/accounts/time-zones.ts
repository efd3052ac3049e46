import type { Choice } from '@agent-service/sdk/web'
import { t } from './texts.js'

/** The choices of a time zone, that of this device first. */
export function zones(chosen: string | null): readonly Choice<string>[] {
  const names = new Set([...(chosen === null ? [] : [chosen]), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [
    { value: '', label: t('no_timezone') },
    { value: own, label: t('device_zone', { zone: own }) },
    ...[...names].filter((name) => name !== own).map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
  ]
}
