import type { JsonObject } from '@agent-service/sdk'
import type { Operation } from '../../../bad-input/support/operations.js'
import { type DocumentKind, kindsIn, marker } from './kinds.js'

/** A place of a request that takes a text: a parameter, or a member of the body. */
export interface TextPlace {
  readonly operation: Operation
  readonly in: 'path' | 'query' | 'header' | 'body'
  readonly name: string
  readonly required: boolean
}

/** What the names of places mean, in every operation. */
const kindsByName: Readonly<Record<string, DocumentKind>> = {
  agent_id: 'agent',
  chat_id: 'chat',
  import_id: 'import',
  branch_id: 'branch',
  message_id: 'answer',
  replaces: 'message',
  run_id: 'run',
  call_id: 'call',
  summary_id: 'summary',
  space_id: 'space',
  upload_id: 'upload',
  entry_id: 'binned file',
  presign_id: 'pre-signed URL',
  token_id: 'token',
  session_id: 'session',
  memory_id: 'memory',
  notification_id: 'notification',
  device_id: 'device',
  credential_id: 'credential',
  grant_id: 'grant',
  vault_id: 'vault',
  connection_id: 'connection',
  key: 'webhook key',
  delivery_id: 'delivery',
  pairing_id: 'pairing',
  sender_id: 'sender',
  task_id: 'task',
  execution_id: 'execution',
  process_id: 'process',
  share_id: 'share',
  prompt_id: 'prompt',
  agent: 'agent handle',
  previous_response_id: 'response',
}

/** What they mean in single operations; `undefined`: nothing of a person. */
const kindsByPlace: Readonly<Record<string, DocumentKind | undefined>> = {
  'connectTerminal process_id': 'terminal',
  'endOwnChannelPairing pairing_id': 'own pairing',
  ...Object.fromEntries(
    [
      'getFileContent',
      'getFileChecksum',
      'deleteFileContent',
      'binFile',
      'presignFile',
      'createShare',
      'createMessage',
      'checkAttachments',
      'startChatImport',
    ].map((id) => [`${id} path`, 'file' as const]),
  ),
  'restoreChat chat_id': 'deleted chat',
  'eraseChat chat_id': 'deleted chat',
  'listFiles path': 'folder',
  'searchFiles path': 'folder',
  'listTools agent': 'agent',
  'copyFile from': 'file',
  'moveFile from': 'file',
  'readNotifications until': 'notification',
  ...Object.fromEntries(
    ['getSkill', 'deleteSkill', 'checkSkill', 'checkSkillAddress', 'getSkillFile', 'putSkillFile', 'deleteSkillFile', 'updateSkill'].map(
      (id) => [`${id} name`, 'skill' as const],
    ),
  ),
  'createResponse model': 'agent handle',
  'createChatCompletion model': 'agent handle',
  'retrieveOwnedOpenAiModel model_name': 'agent handle',
  // The name of a person at the vendor, as the vendor says it.
  'addChannelSender sender_id': undefined,
  'claimChannelPairing sender_id': undefined,
  // Paths that are written, in the folders of the caller, and those within a skill.
  ...Object.fromEntries(
    [
      'putFileContent path, createFolder path, copyFile to, moveFile to, getSkillFile path, putSkillFile path, deleteSkillFile path',
      'installSkill path, validateSkill path, createTask path, updateTask path',
      // Where a skill came from, and days.
      'installSkill from, uploadSkill from, getUsage from, getUsage to',
    ].flatMap((places) => places.split(', ').map((place) => [place, undefined])),
  ),
  // Ids within the archive itself.
  'importChat id': undefined,
  'importChat agent': undefined,
  'importChat call_id': undefined,
  // Where a file was when the chat was exported: a card for the importer's own folder, read when it is opened.
  'importChat path': undefined,
}

/** Names that say nothing of another person. */
const plainNames: readonly string[] = [
  // Texts, words and times, names at vendors, and paths in the folders of the caller.
  'archive avatar command content context cron data description directory due_at email field function_call guest_tools handle',
  'include input instruction instructions invalid_arguments media_type metadata name note password current_password',
  'new_password provider_call_id reasoning reasoning_effort response_format setup_code stop stream_options tags tag task',
  'text timezone title tool_choice undone_at updated_at created_at url user username value variable as_of q query',
  'host error download rest after search',
  // Of all people: vendors, brands, models, tools, panels; items of a vault.
  'channel connector brand model model_group model_id owner panel_id skills source tools item_id',
  // Of the caller's own browser, and of a page that it shows.
  'endpoint p256dh auth language page',
  // Within a document that the same request names.
  'number tool against',
  // Positions and keys have a test of their own.
  'cursor Idempotency-Key',
]

const namingNothing: ReadonlySet<string> = new Set(plainNames.flatMap((names) => names.split(' ')))

/** Documents that no person has in this test, and what holds them to the same. */
const provenElsewhere: Readonly<Record<string, string>> = {
  'closeBrowserSession id': 'needs Chromium: browser-service.test.ts of feature-browser',
  'getBrowserScreenshot id': 'needs Chromium: browser-service.test.ts of feature-browser',
  'listMemories page_id': 'pages are of pkm alone, and kept under the id of their person',
  'retryMemoryPass pass_id': 'passes are of pkm alone: states.test.ts of memory-pkm',
  'restoreMemoryRevision revision_id': 'a compaction makes them: compaction.test.ts of memory-basic',
  'returnFromCredentialSignIn state': 'counts for one person: sign-ins.test.ts of feature-credentials',
  'returnFromCredentialSignIn code': 'of the vendor',
  'returnFromCredentialSignIn iss': 'of the vendor',
  'answerApproval scope': 'a word of this approval: approval-scopes.test.ts',
  'deleteGrant scope': 'a word of a grant of the agent in the path',
  'createResponse conversation': 'refused: nothing is stored by it',
  'confirmEmail code': 'counts for the caller alone: email-confirmation.test.ts',
  'claimChannelPairing code': 'the code is the permission: pairing by it is what it is for',
  // By their address alone, without a sign-in: each is a secret.
  'showUnsubscribe token': 'public: the token of an e-mail is the permission',
  'unsubscribe token': 'public: the token of an e-mail is the permission',
  'findInvitation invitation': 'public: the link is the permission; admission-over-http.test.ts',
  'register invitation': 'public: the link is the permission; admission-over-http.test.ts',
  'getSharedContent id': 'public: the link is the permission; share-timing.soak.test.ts',
  'getSharedPage id': 'public: the link is the permission; share-timing.soak.test.ts',
}

const isText = (schema: JsonObject): boolean =>
  'const' in schema
    ? false
    : schema['type'] === 'string' ||
      (schema['type'] === undefined && schema['anyOf'] === undefined) ||
      branches(schema).some(isText) ||
      (schema['type'] === 'array' && isText((schema['items'] ?? {}) as JsonObject))
const branches = (schema: JsonObject): readonly JsonObject[] => (schema['anyOf'] ?? []) as readonly JsonObject[]

/** The names of the members of a body that take texts, at any depth. */
function textMembers(schema: JsonObject): readonly string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>)
  const below = [
    ...properties.map(([, member]) => member),
    ...branches(schema),
    schema['items'] as JsonObject,
    schema['additionalProperties'] as JsonObject,
  ]
  return [
    ...properties.filter(([, member]) => isText(member)).map(([name]) => name),
    ...below.filter((each) => typeof each === 'object').flatMap(textMembers),
  ]
}

/** Every place of an operation that takes a text, and every parameter of its path. */
export function textPlaces(operation: Operation): readonly TextPlace[] {
  const parameters = operation.parameters
    .filter((parameter) => parameter.in === 'path' || isText(parameter.schema))
    .map(({ name, in: where }): TextPlace => ({ operation, in: where, name, required: where === 'path' }))
  const members = new Set(operation.bodySchema === undefined ? [] : textMembers(operation.bodySchema))
  return [...parameters, ...[...members].map((name): TextPlace => ({ operation, in: 'body', name, required: false }))]
}

const keyOf = ({ operation, name }: TextPlace): string => `${operation.id} ${name}`

/** The kind of document that a place names; `undefined` for none, `unknown` where this file does not say. */
export function kindOf(place: TextPlace): DocumentKind | undefined | 'unknown' {
  const key = keyOf(place)
  if (key in kindsByPlace) return kindsByPlace[key]
  if (key in provenElsewhere) return undefined
  return kindsByName[place.name] ?? (namingNothing.has(place.name) ? undefined : 'unknown')
}

/** Reviewed places that the description does not have any more. */
export function outdatedPlaces(operations: readonly Operation[]): readonly string[] {
  const known = new Set(operations.flatMap(textPlaces).map(keyOf))
  return [...Object.keys(kindsByPlace), ...Object.keys(provenElsewhere)].filter((key) => !known.has(key))
}

/** The places whose document no body or query of an operation names, of those that name one. */
export const unnamedPlaces = (operation: Operation, requests: readonly string[]): readonly string[] => {
  const named = new Set(requests.flatMap(kindsIn))
  return textPlaces(operation)
    .filter((place) => {
      const kind = kindOf(place)
      return kind !== undefined && kind !== 'unknown' && !named.has(kind)
    })
    .map(keyOf)
}

/** The path of an operation with markers for what belongs to a person. */
export const markedPath = (operation: Operation): string =>
  operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const kind = kindOf({ operation, in: 'path', name, required: true })
    return kind === undefined || kind === 'unknown' ? (plainSegments[name] ?? 'nothing') : marker(kind)
  })

const plainSegments: Readonly<Record<string, string>> = {
  source: 'user',
  rest: 'more',
  owner: 'agent',
  number: '1',
  tool: 'tool__idempotent',
}
