import { sampleOf } from '../../../bad-input/support/bad-values.js'
import type { Operation } from '../../../bad-input/support/operations.js'
import { type DocumentKind, documentKinds, filled, kindsIn, marker } from './kinds.js'
import { kindOf, markedPath, textPlaces } from './references.js'

/** A request whose ids are markers. It succeeds for a person whose documents they are. */
export interface MarkedRequest {
  readonly operation: Operation
  /** Path and query. */
  readonly target: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The kinds of documents that it names. */
  readonly kinds: readonly DocumentKind[]
}

interface Variant {
  readonly path?: string
  readonly query?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

const [agent, chat, space, file, folder] = [marker('agent'), marker('chat'), marker('space'), marker('file'), marker('folder')]
const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
const inAgent = { path: `/api/skills/agent/${marker('agent skill')}`, query: { agent_id: agent } }
const skillText = (name: string): string => `---\nname: ${name}\ndescription: Taken over.\n---\n`

/** What the requests of an operation have beyond the ids of its path. */
const variants: Readonly<Record<string, readonly Variant[]>> = {
  updateAgent: [{ body: { name: 'Taken over' } }],
  createChat: [{ body: { agent_id: agent } }, { body: { space_id: space } }],
  updateChat: [
    { body: { title: 'Taken over' } },
    { body: { agent_id: agent } },
    { body: { space_id: space } },
    { body: { branch_id: marker('branch') } },
  ],
  createMessage: [
    { body: { content: 'Taken over' } },
    { body: { content: 'Taken over', replaces: marker('message') } },
    { body: { content: 'Taken over', attachments: [{ path: file }] } },
    { body: { content: 'Taken over', agent_id: agent } },
  ],
  checkAttachments: [{ body: { attachments: [{ path: file }] } }, { body: { attachments: [], agent_id: agent } }],
  getAttachmentLimits: [{ query: { agent_id: agent } }],
  regenerateAnswer: [{ body: {} }, { body: { message_id: marker('answer') } }, { body: { agent_id: agent } }],
  listMessages: [{}, { query: { branch_id: marker('branch') } }],
  answerApproval: [{ body: { decision: 'deny' } }],
  diffAgentVersion: [{ query: { against: '2' } }],
  updateSpace: [{ body: { name: 'Taken over' } }],
  createMemory: [
    { body: { text: 'Taken over.', scope: { kind: 'agent', agent_id: agent } } },
    { body: { text: 'Taken over.', scope: { kind: 'space', space_id: space } } },
  ],
  listMemories: [
    { query: { scope: 'agent', agent_id: agent } },
    { query: { scope: 'space', space_id: space } },
    { query: { agent_id: agent } },
  ],
  updateMemory: [{ body: { pinned: true } }],
  setChatMemory: [{ body: { remember: false } }],
  updateNotification: [{ body: { read: true } }],
  updatePrompt: [{ body: { title: 'Taken over' } }],
  readNotifications: [{ body: { until: marker('notification') } }],
  changePersonalCredential: [{ body: { title: 'Taken over' } }],
  replacePersonalCredentialFields: [{ body: { fields: [{ name: 'token', value: 'Taken over' }] } }],
  createCredentialGrant: [
    { body: { agent_id: agent, source: { kind: 'local', credential_id: marker('credential') }, name: 'taken_over' } },
    { body: { agent_id: agent, source: { kind: 'vault', vault_id: marker('vault'), item_id: 'item-1' }, name: 'taken_over_too' } },
  ],
  changeCredentialGrant: [{ body: { once: true } }],
  changeVault: [{ body: { title: 'Taken over' } }],
  createChannelConnection: [{ body: { channel: 'town', title: 'Taken over', members: { token: 'x' }, agent_id: agent } }],
  changeChannelConnection: [{ body: { title: 'Taken over' } }, { body: { agent_id: agent } }],
  addChannelSender: [{ body: { sender_id: 'eve', role: 'owner' } }],
  approveChannelPairing: [{ body: { role: 'owner' } }],
  getFileContent: [{ query: { path: file } }],
  getFileChecksum: [{ query: { path: file } }],
  deleteFileContent: [{ query: { path: file } }],
  listFiles: [{ query: { path: folder } }],
  searchFiles: [{ query: { name: 'txt', path: folder } }],
  binFile: [{ body: { path: file } }],
  copyFile: [{ body: { from: file, to: 'files/taken-over.txt' } }],
  moveFile: [{ body: { from: file, to: 'files/taken-over-too.txt' } }],
  presignFile: [{ body: { path: file } }],
  startChatImport: [{ body: { path: file } }],
  createShare: [{ body: { path: file } }, { body: { chat_id: chat } }],
  appendToUpload: [{ body: 'x', headers: tus }],
  openTerminal: [{ body: { agent_id: agent } }],
  createSkill: [{ body: { agent_id: agent, name: 'taken-over', description: 'Taken over.' } }],
  installSkill: [
    { body: { agent_id: agent, files: [{ path: 'SKILL.md', content: Buffer.from(skillText('taken-over-too')).toString('base64') }] } },
  ],
  uploadSkill: [{ query: { agent_id: agent }, body: 'no archive', headers: { 'content-type': 'application/zip' } }],
  ...Object.fromEntries(
    ['getSkill', 'deleteSkill', 'checkSkill', 'checkSkillAddress', 'updateSkill'].map((id) => {
      const below = id.startsWith('check') ? '/check' : id === 'updateSkill' ? '/update' : ''
      return [id, [{}, { ...inAgent, path: `${inAgent.path}${below}` }]]
    }),
  ),
  ...Object.fromEntries(
    ['getSkillFile', 'putSkillFile', 'deleteSkillFile'].map((id) => {
      const path = id === 'deleteSkillFile' ? { path: 'SKILL.md' } : {}
      const text = (kind: 'skill' | 'agent skill') => (id === 'putSkillFile' ? { body: skillText(marker(kind)) } : {})
      return [
        id,
        [
          { query: path, ...text('skill') },
          { path: `${inAgent.path}/content`, query: { ...inAgent.query, ...path }, ...text('agent skill') },
        ],
      ]
    }),
  ),
  createTask: [{ body: { instruction: 'Taken over', agent: marker('agent handle'), due_at: '2999-01-01T00:00:00Z' } }],
  updateTask: [{ body: { title: 'Taken over' } }, { body: { agent: marker('agent handle') } }],
  createResponse: [
    { body: { model: `agent/${marker('agent handle')}`, input: 'Taken over' } },
    { body: { model: `agent/${marker('agent handle')}`, input: 'Taken over', stream: true } },
    { body: { model: `agent/${marker('agent handle')}`, input: 'Taken over', previous_response_id: marker('response') } },
  ],
  createChatCompletion: [{ body: { model: `agent/${marker('agent handle')}`, messages: [{ role: 'user', content: 'Taken over' }] } }],
  postChannelWebhook: [{ body: { id: 'w-1', text: 'Taken over' } }],
  postChannelWebhookPart: [{ body: { id: 'w-2', text: 'Taken over' } }],
}

const jsonHeaders = { 'content-type': 'application/json' }

/** The requests of an operation that name something of a person: none where none does. */
export function requestsOf(operation: Operation): readonly MarkedRequest[] {
  return (variants[operation.id] ?? variantsByDescription(operation))
    .map(({ path = markedPath(operation), query = {}, body, headers = {} }): MarkedRequest => {
      const search = Object.entries(query).map(([name, value]) => `${name}=${value}`)
      const target = search.length === 0 ? path : `${path}?${search.join('&')}`
      const content = typeof body === 'object' ? JSON.stringify(body) : body
      return {
        operation,
        target,
        body: content,
        kinds: kindsIn(`${target} ${content ?? ''}`),
        headers: { ...(typeof body === 'object' && jsonHeaders), ...headers },
      }
    })
    .filter(({ kinds }) => kinds.length > 0)
}

/** One plain request, and one for each parameter of the query that names a document. */
function variantsByDescription(operation: Operation): readonly Variant[] {
  const body = operation.bodySchema === undefined ? {} : { body: Object(sampleOf(operation.bodySchema)) as object }
  const queries = textPlaces(operation).flatMap((place): readonly Variant[] => {
    const kind = kindOf(place)
    return place.in === 'query' && kind !== undefined && kind !== 'unknown' ? [{ query: { [place.name]: marker(kind) }, ...body }] : []
  })
  return [...(operation.path.includes('{') ? [body] : []), ...queries]
}

/** The bytes of a request, with ids in place of its markers. */
export const requestWith = ({ target, body, headers }: MarkedRequest, idOf: (kind: DocumentKind) => string) => ({
  target: filled(target, idOf, encodeURIComponent),
  body: body === undefined ? undefined : filled(body, idOf),
  headers,
})

/** The texts in which a request names documents. */
export const namesOf = ({ target, body }: MarkedRequest): string => `${target} ${body ?? ''}`

/** Kinds that no request names. */
export const unusedKinds = (requests: readonly MarkedRequest[]): readonly DocumentKind[] =>
  documentKinds.filter((kind) => !requests.some(({ kinds }) => kinds.includes(kind)))
