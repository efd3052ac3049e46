import { createECDH, randomBytes } from 'node:crypto'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { endOf } from '../../../agents/support/agents-kernel.js'
import { calls, resultsIn, says } from '../../../agents/support/scripted-plugin.js'
import { claimCode } from '../../../channels/support/claim-code.js'
import { said, type Town } from '../../../channels/support/town-plugin.js'
import { shedPassword } from '../../../console/support/shed-plugin.js'
import type { Api, EventStream } from '../../../support/api.js'
import type { Documents } from './kinds.js'

type Json = Readonly<Record<string, unknown>>

const connections = '/api/channels/connections'

/** A word that stands in every text of a person. No answer to another one may have it. */
export const secretOf = (name: string): string => `${name}-has-this-alone`

/** A model that asks for a tool that has to be approved where it is told to, and else says a word. */
export const answerAsAsked = (request: ModelRequest) => {
  const asked = JSON.stringify(request.messages.filter(({ role }) => role === 'user').at(-1))
  const tool = ['tool__unsafe', 'tool__idempotent'].find((name) => asked.includes(name))
  return tool !== undefined && resultsIn(request).length === 0 ? calls(tool) : says('Noted.')
}

/** Makes one document of each kind for a person, and waits until nothing of it is under way any more. */
export async function makeDocuments(
  person: Api,
  name: string,
  { town, sharedConnection }: { readonly town: Town; readonly sharedConnection: string },
): Promise<Documents> {
  const secret = secretOf(name)
  const stream = await person.stream()
  try {
    const make = async (path: string, body: Json = {}, method = 'POST'): Promise<Json> => {
      const answer = await person.request(method, path, ...(method === 'GET' ? [] : [body]))
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const idOf = async (path: string, body: Json = {}): Promise<string> => String((await make(path, body))['id'])
    const listOf = async (path: string): Promise<readonly Json[]> => (await person.request('GET', path)).body['items'] as readonly Json[]
    const agent = await idOf('/api/agents', {
      handle: `helper-of-${name}`,
      name: secret,
      instructions: secret,
      skills: [],
      titles: { enabled: false },
      tools: ['tool__unsafe', 'tool__idempotent'],
      approval: { '*': 'always', tool__idempotent: 'first_time' },
    })
    await make(`/api/agents/${agent}`, { description: secret }, 'PATCH')
    const space = await idOf('/api/spaces', { name: secret, context: secret })
    const chats = await makeChats({ make, idOf, listOf, stream, agent, space, secret })

    const folder = `files/${secret}`
    await make('/api/files/folders', { path: folder })
    const file = `${folder}/${name}.txt`
    const binned = `files/${name}-binned.txt`
    for (const path of [file, binned]) await putFile(person, path)
    const entry = await make('/api/files/bin', { path: binned })
    const credential = await idOf('/api/credentials', {
      name: 'github',
      title: secret,
      fields: [{ name: 'token', value: `${secret}-credential` }],
    })
    const vault = await idOf('/api/vaults', { connector: 'shed', title: secret, members: { place: secret, password: shedPassword } })
    // It would also be read for the first time by itself, at any moment.
    await make(`/api/vaults/${vault}/sync`)
    const task = await idOf('/api/tasks', {
      instruction: `tool__unsafe ${secret}`,
      title: secret,
      agent: `helper-of-${name}`,
      due_at: '2999-01-01T00:00:00Z',
    })
    await make(`/api/tasks/${task}/run`)
    // One that is under way, so that it can be cancelled.
    const execution = await eventually(
      async () => (await listOf(`/api/tasks/${task}/executions`)).find(({ state }) => state === 'waiting'),
      { what: () => listOf(`/api/tasks/${task}/executions`) },
    )
    await stream.until(({ name: event, data }) => event === 'notification.created' && data['kind'] === 'task.waiting')
    await make('/api/skills', { name: `skill-of-${name}`, description: secret })
    await make('/api/skills', { name: `agent-skill-of-${name}`, description: secret, agent_id: agent })
    const process = await idOf('/api/sandbox/terminals', { agent_id: agent })
    await eventually(
      async () => JSON.stringify((await person.request('GET', `/api/sandbox/processes/${process}/output`)).body).includes('$ '),
      {
        what: 'the prompt of the terminal',
      },
    )
    const link = await make('/api/shares', { path: file })
    const prompt = await make('/api/prompts', { command: `prompt-of-${name}`, title: secret, text: secret })
    const channel = await makeChannel({ person, make, idOf, listOf, stream, town, name, secret, agent })
    const response = await make('/v1/responses', { model: `agent/helper-of-${name}`, input: secret, store: true })

    // A text is no export, so that it ends at once.
    const chatImport = await idOf('/api/chats/imports', { path: file })
    await stream.until(({ name: event, data }) => event === 'chat_import.updated' && (data['import'] as Json)['state'] === 'failed')

    const documents: Documents = {
      agent,
      space,
      file,
      folder,
      credential,
      vault,
      task,
      process,
      terminal: process,
      ...chats,
      import: chatImport,
      ...channel,
      'agent handle': `helper-of-${name}`,
      upload: await beginUpload(person, `files/${name}-upload.txt`),
      'binned file': String(entry['id']),
      'deleted chat': await makeDeletedChat({ make, idOf, agent, secret }),
      'pre-signed URL': await idOf('/api/files/presign', { path: file }),
      token: await idOf('/api/auth/tokens', { name: secret, scopes: ['read'] }),
      session: String((await listOf('/api/auth/sessions'))[0]?.['id']),
      memory: await idOf('/api/memory', { text: secret }),
      notification: String((await listOf('/api/notifications'))[0]?.['id']),
      device: await idOf('/api/notifications/devices', {
        endpoint: `https://push.invalid/${name}`,
        keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
        name: secret,
        language: 'en',
      }),
      grant: await idOf('/api/credentials/grants', { agent_id: agent, source: { kind: 'local', credential_id: credential } }),
      execution: String(execution['id']),
      share: String(link['id']),
      prompt: String(prompt['id']),
      skill: `skill-of-${name}`,
      'agent skill': `agent-skill-of-${name}`,
      response: String(response['id']),
      'own pairing': await pairWith(person, { town, name, sharedConnection }),
    }
    const missing = Object.entries(documents).filter(([, id]) => id === '' || id === 'undefined')
    if (missing.length > 0) throw new Error(`These documents have no id: ${missing.map(([kind]) => kind).join(', ')}.`)
    return documents
  } finally {
    stream.close()
  }
}

interface Maker {
  readonly make: (path: string, body?: Json, method?: string) => Promise<Json>
  readonly idOf: (path: string, body?: Json) => Promise<string>
  readonly listOf: (path: string) => Promise<readonly Json[]>
  readonly stream: EventStream
  readonly agent: string
  readonly secret: string
}

/** A chat with an answer, a summary, a second branch and a run that waits for its person. */
async function makeChats({ make, idOf, listOf, stream, agent, space, secret }: Maker & { readonly space: string }) {
  const first = await idOf('/api/chats', { agent_id: agent, space_id: space, title: secret })
  const post = async (chatId: string, content: string): Promise<string> =>
    ((await make(`/api/chats/${chatId}/messages`, { content }))['run'] as { readonly id: string }).id
  const waitingFor = (run: string) =>
    stream.until(({ name, data }) => name === 'approval.requested' && data['run_id'] === run).then(({ data }) => data['approval'] as Json)
  await endOf(stream, await post(first, secret))
  const approved = await post(first, 'tool__idempotent')
  const { call_id: allowed } = await waitingFor(approved)
  await make(`/api/runs/${approved}/approvals/${String(allowed)}`, { decision: 'approve' })
  await endOf(stream, approved)
  // An export carries a summary along, so no model has to write one.
  const exported = await make(`/api/chats/${first}/export`, {}, 'GET')
  const messages = exported['messages'] as readonly Json[]
  const { branch, sequence } = messages.at(-1) as Json
  const chat = await idOf('/api/chats/import', {
    ...exported,
    summaries: [
      {
        branch,
        until: sequence,
        text: secret,
        task: null,
        model: 'primary',
        tokens_before: 10,
        tokens: 5,
        created_at: '2026-01-01T00:00:00.000Z',
        undone_at: null,
      },
    ],
  })
  await make(`/api/chats/${chat}`, { agent_id: agent, space_id: space }, 'PATCH')
  const { run: again } = (await make(`/api/chats/${chat}/regenerate`)) as { readonly run: { readonly id: string } }
  await stream.until(({ name, data }) => ['run.completed', 'run.waiting'].includes(name) && data['run_id'] === again.id)
  const run = await post(await idOf('/api/chats', { agent_id: agent, title: secret }), `tool__unsafe ${secret}`)
  const call = String((await waitingFor(run))['call_id'])
  const all = await listOf(`/api/chats/${chat}/messages`)
  const of = (role: string): string => String(all.find((message) => message['role'] === role)?.['id'])
  return {
    chat,
    run,
    call,
    message: of('user'),
    answer: of('assistant'),
    summary: String((await listOf(`/api/chats/${chat}/summaries`))[0]?.['id']),
    branch: String((await listOf(`/api/chats/${chat}/branches`)).at(-1)?.['id']),
  }
}

async function makeDeletedChat({ make, idOf, agent, secret }: Pick<Maker, 'make' | 'idOf' | 'agent' | 'secret'>): Promise<string> {
  const id = await idOf('/api/chats', { agent_id: agent, title: secret })
  await make(`/api/chats/${id}/messages`, { content: secret })
  await make(`/api/chats/${id}`, {}, 'DELETE')
  return id
}

/** A connection with a sender, and a stranger who waits to be let in. */
async function makeChannel(parts: Maker & { readonly person: Api; readonly town: Town; readonly name: string }) {
  const { idOf, listOf, make, person, stream, town, name, secret, agent } = parts
  const connection = await idOf(connections, { channel: 'town', title: secret, members: { token: secret }, agent_id: agent })
  await stream.until(
    ({ name: event, data }) => event === 'channel.updated' && data['connection_id'] === connection && data['state'] === 'connected',
  )
  await make(`${connections}/${connection}/senders`, { sender_id: `friend-of-${name}`, role: 'owner' })
  await town.hosts.at(-1)?.receive({ messages: [said(`${name}-1`, secret, `stranger-of-${name}`)], state: { last: 1 } })
  const deliveries = await eventually(
    async () => {
      const found = await listOf(`${connections}/${connection}/deliveries`)
      return found.length > 0 && found.every(({ state }) => state === 'sent') && found
    },
    { what: 'the delivery to the stranger' },
  )
  await stream.until(({ name: event, data }) => event === 'notification.created' && data['kind'] === 'channel.pairing')
  const { body } = await person.request('GET', `${connections}/${connection}`)
  return {
    connection,
    'webhook key': new URL(String(body['webhook_url'])).pathname.split('/').at(-1) ?? '',
    delivery: String(deliveries[0]?.['id']),
    pairing: String((await listOf(`${connections}/${connection}/pairings`))[0]?.['id']),
    sender: String((await listOf(`${connections}/${connection}/senders`))[0]?.['id']),
  }
}

/** Pairs a person with the connection that all share; gives the id of the pairing. */
async function pairWith(
  person: Api,
  { town, name }: { readonly town: Town; readonly name: string; readonly sharedConnection: string },
): Promise<string> {
  const before = town.sent.length
  await town.hosts[0]?.receive({ messages: [said(`shared-${name}`, 'Hello', `self-of-${name}`)], state: { last: before } })
  const text = await eventually(
    () => town.sent.slice(before).find(({ conversationId }) => conversationId === `with-self-of-${name}`)?.text,
    {
      what: 'the code of the shared channel',
    },
  )
  await claimCode(person, /\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b/.exec(text)?.[0])
  // What was written is answered then.
  await eventually(
    () => town.sent.some(({ conversationId, text: sent }) => conversationId === `with-self-of-${name}` && sent === 'Noted.'),
    {
      what: 'the answer in the shared channel',
    },
  )
  const { body } = await person.request('GET', '/api/channels/pairings')
  return String((body['items'] as readonly { readonly sender: Json }[])[0]?.sender['id'])
}

/** Writes a file of a person, anew where it is gone. */
export async function putFile(person: Api, path: string): Promise<void> {
  const answer = await fetch(`${person.url}/api/files/content?path=${encodeURIComponent(path)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'text/plain' },
    body: 'A file.',
  })
  if (!answer.ok) throw new Error(`Writing a file answered ${answer.status}: ${await answer.text()}`)
}

async function beginUpload(person: Api, path: string): Promise<string> {
  const answer = await fetch(`${person.url}/api/files/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `path ${Buffer.from(path).toString('base64')}`,
    },
  })
  if (!answer.ok) throw new Error(`Beginning an upload answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly id: string }).id
}
