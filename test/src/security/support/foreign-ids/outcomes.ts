import type { DocumentKind } from './kinds.js'

/** What a request answers that names a document of another person. */
export interface ForeignOutcome {
  readonly status: number
  /** Why it is not 404 `not_found`. */
  readonly why: string
  /** Something of the caller's own is made, with an id and times of its own: only the status is the same each time. */
  readonly makesOwn?: boolean
}

const filter = { status: 200, why: 'A filter of the own list, which nothing fits.' }
const member = { status: 422, why: 'A member of the body that names nothing of the caller.' }

/** The reviewed exceptions, by operation and kind. Each answers an id that does not exist in the same way. */
const outcomes: Readonly<Record<string, ForeignOutcome>> = {
  'listCredentialGrants agent': filter,
  'listCredentialLog agent': filter,
  'listMemories agent': filter,
  'listMemories space': filter,
  'listProcesses agent': filter,
  'listTasks agent': filter,
  'getUsage agent': filter,
  'listModelCalls chat': filter,
  'createChannelConnection agent': member,
  'changeChannelConnection agent': member,
  'createMemory agent': member,
  'createMessage file': member,
  'checkAttachments file': { status: 200, why: 'It says of each file what becomes of it: that there is none.' },
  'startChatImport file': member,
  'createMemory space': {
    status: 201,
    why: 'A memory is of the caller, whatever space it names; nothing of a space is read.',
    makesOwn: true,
  },
  'createResponse response': { status: 400, why: 'Vendors have this status for it.' },
  'forgetBrowserProfile agent': { status: 204, why: 'Nothing to forget is no error.' },
  'readNotifications notification': { status: 200, why: 'A position in the own list.' },
  'streamEvents chat': { status: 200, why: 'A filter of the own stream: foreign-streams.test.ts reads it.' },
}

const notFound: ForeignOutcome = { status: 404, why: '' }

export const foreignOutcome = (operationId: string, kind: DocumentKind): ForeignOutcome => outcomes[`${operationId} ${kind}`] ?? notFound

/** Exceptions that are about nothing which is served. */
export const outdatedOutcomes = (named: ReadonlySet<string>): readonly string[] => Object.keys(outcomes).filter((key) => !named.has(key))
