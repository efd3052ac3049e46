import { expect } from 'chai'
import type { CredentialsKernel } from '../../../credentials/support/credentials-kernel.js'
import type { AuditEntry } from '../audit-entry.js'
import type { Answer, Client, SignedInPerson } from '../clients.js'

/** What the walk goes through, and what it finds on the way. */
export interface World {
  readonly service: CredentialsKernel
  readonly client: Client
  readonly admin: SignedInPerson
  /** Ids and answers that later steps need. */
  readonly known: Map<string, string>
  /** Everything that no entry may hold, by a name. */
  readonly secrets: Map<string, string>
}

/** How one operation is called, and what the audit log has of it. */
export interface Step {
  call(world: World): Promise<Answer>
  /** The status of the answer. Default: any below 300. */
  readonly statuses?: readonly number[]
  /** Absent: it changes nothing, and nothing is noted. */
  readonly noted?: string | ((answer: Answer) => string)
  /** The kind of the entry that the service adds by itself once what was begun has ended. Default: there is none. */
  readonly completed?: string
  /** Looks at the entry further. */
  readonly check?: (entry: AuditEntry, world: World, answer: Answer) => void
}

/** What an earlier step has remembered under a name. */
export const at = (world: World, name: string): string => {
  const value = world.known.get(name)
  if (value === undefined) throw new Error(`The walk does not know “${name}” yet.`)
  return value
}

/** Sends a request as the administrator. */
export const send = (
  world: World,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  world.client.send(method, path, { headers: { ...world.admin.authorization, ...headers }, ...(body === undefined ? {} : { body }) })

/** A step that reads a path, which changes nothing. */
export const read = (path: string | ((world: World) => string)): Step => ({
  call: (world) => send(world, 'GET', typeof path === 'string' ? path : path(world)),
})

/** Remembers a member of the answer for later steps. */
export const remember = async (world: World, name: string, answered: Promise<Answer>, member = 'id'): Promise<Answer> => {
  const answer = await answered
  world.known.set(name, String(answer.json[member]))
  return answer
}

/** Gives a secret that no entry may hold, in any encoding. */
export const plant = (world: World, name: string): string => {
  const secret = `planted-${name}-4711/+"ü`
  world.secrets.set(name, secret)
  return secret
}

/** The same, of characters that every credential may have. */
export const plantPlain = (world: World, name: string): string => {
  const secret = `planted-${name}-4711`
  world.secrets.set(name, secret)
  return secret
}

/** Checks that the entry is about what was remembered under a name. */
export const subjectIs =
  (name: string) =>
  (entry: AuditEntry, world: World): void =>
    void expect(entry.subject_id).to.equal(at(world, name))
