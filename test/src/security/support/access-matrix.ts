import type { Operation } from '../../bad-input/support/operations.js'

/** Everyone who may ask for an operation, in the order of the page. */
export const callers = [
  'anonymous',
  'user',
  'another user',
  'read-only token',
  'inference token',
  'ephemeral actor',
  'admin token',
  'admin session',
  'confirmed admin session',
] as const

export type Caller = (typeof callers)[number]

/** What a caller brings along, as far as declarations speak of it. */
interface Standing {
  readonly role: 'user' | 'admin'
  readonly scopes: readonly string[]
  readonly kind: 'session' | 'token' | 'actor'
  readonly confirmed: boolean
}

const all = ['read', 'write', 'admin', 'inference']
const session = { scopes: all, kind: 'session', confirmed: false } as const

const standings: Readonly<Record<Exclude<Caller, 'anonymous'>, Standing>> = {
  user: { role: 'user', ...session },
  'another user': { role: 'user', ...session },
  'read-only token': { role: 'user', scopes: ['read'], kind: 'token', confirmed: false },
  'inference token': { role: 'user', scopes: ['inference'], kind: 'token', confirmed: false },
  'ephemeral actor': { role: 'user', scopes: ['read', 'write', 'inference'], kind: 'actor', confirmed: false },
  'admin token': { role: 'admin', scopes: all, kind: 'token', confirmed: false },
  'admin session': { role: 'admin', ...session },
  'confirmed admin session': { role: 'admin', ...session, confirmed: true },
}

/** `yes`, or the code of the refusal. */
export type Outcome = 'yes' | 'unauthenticated' | 'people_only' | 'forbidden' | 'session_required' | 'confirmation_required' | 'not_found'

/**
 * What the declarations of an operation come to for a caller, by the policies that ship. The ids in
 * its path are of things of the user.
 */
export function declaredOutcome(operation: Operation, caller: Caller): Outcome {
  if (operation.auth === 'public') return caller !== 'ephemeral actor' || operation.actors.includes('agent') ? 'yes' : 'people_only'
  if (caller === 'anonymous') return 'unauthenticated'
  const refusal = refusalOf(operation, standings[caller])
  if (refusal !== undefined) return refusal
  return caller === 'another user' && operation.path.includes('{') ? 'not_found' : 'yes'
}

function refusalOf({ auth, actors, session: forSessions, confirmed, scopes }: Operation, caller: Standing): Outcome | undefined {
  if (caller.kind === 'actor' && !actors.includes('agent')) return 'people_only'
  if (auth === 'admin' && caller.role !== 'admin') return 'forbidden'
  if ((forSessions || confirmed) && caller.kind !== 'session') return 'session_required'
  if (confirmed && !caller.confirmed) return 'confirmation_required'
  return scopes.length === 0 || scopes.some((scope) => caller.scopes.includes(scope)) ? undefined : 'forbidden'
}

const introduction = `# Who may call what

One row for each operation of \`/api/openapi.json\`, as the routes of the kernel and of the plugins that ship declare it
and the policies that ship decide. The page is generated and a test holds it and real requests against the declarations:
\`UPDATE_ACCESS_MATRIX=1 npx mocha test/dist/security/access-matrix.test.js\` writes it anew after a change of a route.

- *user*, *admin session*: a sign-in of a person; *confirmed*: one that \`POST /api/auth/confirm\` has confirmed within
  five minutes.
- *another user*: the same person's things, asked for by somebody else. Operations that name nothing of anybody are
  about that other user's own things.
- *read-only token*, *inference token*: personal access tokens of a user with the scope \`read\`, or \`inference\`,
  alone. *admin token*: one of an admin with all scopes.
- *ephemeral actor*: an agent that acts for a person with a token of its process and all the scopes that such a token
  can have, also where its person is an admin, at the address that programs of agents have.
- \`yes\`: the host lets the request in. A policy can forbid more, and so can the body: where two scopes do, where a
  file is reached and where only some values need a confirmed session or a person, the description of the operation says
  so. Otherwise the code of the refusal stands there: \`unauthenticated\` is a 401, \`not_found\` a 404, all others are
  403.
`

/** The page of the documentation. */
export function renderAccessMatrix(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.method} ${operation.path}\` (${operation.id})`,
    ...callers.map((caller) => {
      const outcome = declaredOutcome(operation, caller)
      return outcome === 'yes' ? 'yes' : `\`${outcome}\``
    }),
  ])
  const table = [['operation', ...callers], ['---', ...callers.map(() => '---')], ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${introduction}\n${table.join('\n')}\n`
}
