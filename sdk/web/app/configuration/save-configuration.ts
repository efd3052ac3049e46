import { api, send } from '../../api/client.js'
import type { Configuration } from '../../api/configuration.js'
import { isProblem } from '../../api/problem.js'
import { whenConfirmed } from '../confirmation.js'
import { t } from './texts.js'

const maxAttempts = 4

/**
 * Saves a change for the next start; the person is asked who they are where the service wants that.
 * False if they gave up: then nothing is saved. A change of other things in the file meanwhile does
 * no harm; `unchanged` says whether the entry itself is still as the form shows it.
 */
export async function saveConfiguration(
  change: { readonly set?: Readonly<Record<string, unknown>>; readonly reset?: readonly string[] },
  unchanged: (configuration: Configuration) => boolean = () => true,
): Promise<boolean> {
  const body = { set: { ...change.set }, reset: [...(change.reset ?? [])] }
  for (let attempt = 1; ; attempt += 1) {
    const save = async (): Promise<void> => {
      const configuration = await api.get('/api/admin/config')
      if (!unchanged(configuration)) throw new Error(t('changed_elsewhere'))
      await send('patch', '/api/admin/config', { body, headers: { 'if-match': `"${configuration.revision}"` } })
    }
    try {
      return await whenConfirmed(t('confirm_reason'), save)
    } catch (error) {
      if (!isProblem(error, 'stale_config') || attempt >= maxAttempts) throw error
    }
  }
}
