import { api, send } from '../../../api/client.js'
import { isProblem } from '../../../api/problem.js'
import type { AnswerOf } from '../../../api/types.js'
import { whenConfirmed } from '../../../app/confirmation.js'
import { t } from './texts.js'

export type Configuration = AnswerOf<'get', '/api/admin/config'>

const maxAttempts = 4

type Members = Readonly<Record<string, unknown>>

export const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

/** The entries of a section in the file, by name. */
export const savedIn = (configuration: Configuration, section: 'providers' | 'models'): Readonly<Record<string, Members>> =>
  Object.fromEntries(Object.entries(membersOf(configuration.saved[section])).map(([name, entry]) => [name, membersOf(entry)]))

/** The variable of the environment that sets a path, or something around it. */
export const lockOf = (configuration: Configuration, path: string): string | undefined =>
  configuration.locked.find((each) => path === each.path || path.startsWith(`${each.path}.`) || each.path.startsWith(`${path}.`))?.variable

/** A dotted path; names that are no plain words are quoted. */
export const pathOf = (...names: readonly string[]): string =>
  names.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join('.')

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
