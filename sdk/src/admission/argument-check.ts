import { pluginArgumentError } from '../core/plugin-errors.js'

/** Checks what a plugin passes to its context, at the call: later its stack would not lead to the mistake. */
export interface ArgumentCheck {
  /** What `onStopping` and `onDispose` get. */
  callback(action: 'onStopping' | 'onDispose', given: unknown): void
  /** The point and what `contribute` adds to it. */
  contribution(point: unknown, given: unknown): void
  /** The reference and the service that `provide` gets. */
  service(reference: unknown, given: unknown): void
  /** The reference that `use` gets. */
  reference(given: unknown): void
}

/** Makes the check for one plugin. `refuse` gets the error of a call and throws it. */
export function createArgumentCheck(plugin: string, refuse: (error: Error) => never): ArgumentCheck {
  const demand = (isRight: boolean, call: { readonly action: string; readonly given: unknown; readonly expected: string }): void => {
    if (!isRight) refuse(pluginArgumentError.create({ plugin, action: call.action, given: nounOf(call.given), expected: call.expected }))
  }
  const demandNamed = (action: string, given: unknown, expected: string): void => demand(isNamed(given), { action, given, expected })
  return {
    callback(action, given) {
      const expected = `a function: context.${action}(() => server.close())`
      demand(typeof given === 'function', { action, given, expected })
    },
    contribution(point, given) {
      demandNamed('contribute', point, 'a contribution point, such as tools of @agent-service/sdk/contracts/tool')
      const expected = `the object that is added to ${nameOf(point)}`
      demand(typeof given === 'object' && given !== null, { action: 'contribute', given, expected })
    },
    service(reference, given) {
      demandNamed('provide', reference, 'a service reference, as defineServiceReference makes it')
      demand(given !== undefined && given !== null, { action: 'provide', given, expected: `the service “${nameOf(reference)}”` })
    },
    reference: (given) => demandNamed('use', given, 'a service reference, as defineServiceReference makes it'),
  }
}

const isNamed = (given: unknown): given is { readonly id: string } =>
  typeof given === 'object' && given !== null && typeof (given as { readonly id?: unknown }).id === 'string'

const nameOf = (given: unknown): string => (isNamed(given) ? given.id : '?')

/** The kind of a value, for a sentence. */
function nounOf(given: unknown): string {
  if (given === undefined || given === null) return String(given)
  if (given instanceof Promise) return 'a promise'
  const type = typeof given
  return `${type === 'object' ? 'an' : 'a'} ${type}`
}
