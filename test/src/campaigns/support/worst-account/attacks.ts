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

/** The attacks that are asked for, all without a wish. @throws for a name that there is not. */
export function chosenAttacks(wish: string | undefined): readonly string[] {
  const names = (wish ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  for (const name of names)
    if (!Object.hasOwn(attacks, name)) throw new Error(`There is no attack “${name}”. There are ${Object.keys(attacks).join(', ')}.`)
  return names.length === 0 ? Object.keys(attacks) : names
}
