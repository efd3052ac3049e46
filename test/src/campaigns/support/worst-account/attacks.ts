import type { Attack } from './attack.js'
import { aborted, exportsUnread, hugeBodies, slowBodies, streams, uploads, webSockets, wrongBodies } from './connection-attacks.js'
import { expressions, forks, imports, modelCalls, presignedUrls, searches, signIns, tokens, waits } from './request-attacks.js'

/** Everything expensive that the API offers, by the names that `ATTACKS` takes. */
export const attacks: Readonly<Record<string, Attack>> = {
  streams,
  websockets: webSockets,
  bodies: slowBodies,
  'huge-bodies': hugeBodies,
  'wrong-bodies': wrongBodies,
  calls: modelCalls,
  searches,
  exports: exportsUnread,
  imports,
  forks,
  uploads,
  expressions,
  tokens,
  'sign-ins': signIns,
  presigned: presignedUrls,
  waits,
  aborted,
}

/** Those that do most harm where nothing bounds them. A short campaign has no time for more. */
const worstAttacks: readonly string[] = ['streams', 'bodies', 'huge-bodies', 'wrong-bodies', 'calls']

/**
 * The attacks that are asked for; without a wish all of them, or the worst. @throws for a name that
 * there is not.
 */
export function chosenAttacks(wish: string | undefined, { full = true }: { readonly full?: boolean } = {}): readonly string[] {
  const names = (wish ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  for (const name of names)
    if (!Object.hasOwn(attacks, name)) throw new Error(`There is no attack “${name}”. There are ${Object.keys(attacks).join(', ')}.`)
  if (names.length > 0) return names
  return full ? Object.keys(attacks) : worstAttacks
}
