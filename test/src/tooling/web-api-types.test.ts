import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { repositoryRoot } from './repository-tree.js'

type Description = Readonly<Record<string, unknown>>

interface Scripts {
  checkApiTypes(root: string, description: Description, options?: { readonly write?: boolean }): Promise<readonly string[]>
  writeArea(root: string, folder: string, description: Description): void
}

const importScript = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(path.join(repositoryRoot, 'kernel/scripts', file)).href)) as Module

const answering = (schema: string): unknown => ({
  get: {
    responses: { 200: { description: 'It.', content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } } },
  },
})
const eventOf = (name: string): unknown => ({
  type: 'object',
  required: ['event', 'data'],
  properties: { event: { type: 'string', const: name }, data: { $ref: '#/components/schemas/Data' } },
})
const references = ['TaskUpdated', 'TaskDeleted', 'Reset'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
const named = (name: string): unknown => ({ type: 'object', required: [name], properties: { [name]: { type: 'string' } } })

const description: Description = {
  openapi: '3.1.0',
  info: { title: 'A service', version: '1' },
  paths: {
    '/api/tasks': answering('Task'),
    '/api/tasks/{task_id}': answering('Task'),
    '/api/tasks-of-others': answering('Other'),
    '/api/chats/{chat_id}/export': answering('Other'),
  },
  components: {
    schemas: {
      Task: { type: 'object', required: ['agent'], properties: { agent: { $ref: '#/components/schemas/Agent' } } },
      Agent: named('name'),
      Other: named('other'),
      Data: named('id'),
      TaskUpdated: eventOf('task.updated'),
      TaskDeleted: eventOf('task.deleted'),
      Reset: eventOf('reset'),
      Event: {
        oneOf: references,
        discriminator: {
          propertyName: 'event',
          mapping: {
            'task.updated': '#/components/schemas/TaskUpdated',
            'task.deleted': '#/components/schemas/TaskDeleted',
            reset: '#/components/schemas/Reset',
          },
        },
      },
      EventData: { anyOf: [{ $ref: '#/components/schemas/Data' }] },
    },
  },
}

const screen = `
export const list = () => api.get('/api/tasks')
export const watch = (reload: () => void) => [onEvent('task.updated', reload), onEvent('reset', reload)]
`

describe('the types of the API in web folders', () => {
  let scripts: Scripts
  let root: string
  const folder = 'plugins/feature-tasks/web'
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  const writeJson = (file: string, value: unknown): Promise<void> => write(file, JSON.stringify(value))
  const read = (file: string): Promise<string> => readFile(path.join(root, folder, file), 'utf8')

  before(async () => {
    scripts = await importScript('console-api.mjs')
  })
  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'agent-service-api-types-'))
    await writeJson('package.json', { workspaces: ['plugins/*', 'sdk'] })
    await writeJson('plugins/feature-tasks/package.json', {})
    await write(`${folder}/screens/tasks/tasks.ts`, screen)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('are those of the running service, of areas that the sources use', async () => {
    const { readServiceDescription } = await importScript<{ readServiceDescription(root: string): Promise<Description> }>(
      'lib/api-types/service-description.mjs',
    )
    expect(await scripts.checkApiTypes(repositoryRoot, await readServiceDescription(repositoryRoot))).to.deep.equal([])
  })

  it('are of the paths and events of the area, and the schemas that these reach', async () => {
    await writeJson(`${folder}/api/areas.json`, { paths: ['/api/tasks'], events: ['task.updated', 'reset'] })
    expect(await scripts.checkApiTypes(root, description, { write: true })).to.deep.equal([])
    const types = await read('api/schema.ts')
    for (const present of ['"/api/tasks":', '"/api/tasks/{task_id}":', 'Task: {', 'Agent: {']) expect(types).to.contain(present)
    expect(types).to.contain('Event: components["schemas"]["TaskUpdated"] | components["schemas"]["Reset"];')
    for (const absent of ['tasks-of-others', 'Other', 'TaskDeleted', '/api/chats']) expect(types).to.not.contain(absent)
    expect(await scripts.checkApiTypes(root, description)).to.deep.equal([])
  })

  it('are found out of date in each web folder, that of the SDK too', async () => {
    await writeJson('sdk/package.json', {})
    await write('sdk/web/read.ts', screen)
    for (const each of [folder, 'sdk/web']) {
      await writeJson(`${each}/api/areas.json`, { paths: ['/api/tasks'], events: ['reset'] })
      await write(`${each}/api/schema.ts`, 'export interface paths {}\n')
    }
    expect(await scripts.checkApiTypes(root, description)).to.deep.equal([
      `${folder}/api/schema.ts is out of date: run node kernel/scripts/console-api.mjs --write`,
      'sdk/web/api/schema.ts is out of date: run node kernel/scripts/console-api.mjs --write',
    ])
  })

  it('have no entries that name nothing, or that nothing mentions', async () => {
    await writeJson(`${folder}/api/areas.json`, {
      paths: ['/api/tasks', '/api/task', '/api/chats'],
      events: ['reset', 'tasks.*', 'task.deleted'],
      schemas: ['Agent', 'Missing'],
    })
    await write(`${folder}/api/schema.ts`, '')
    await write(`${folder}/screens/tasks/tasks.test.ts`, "api.get('/api/chats/{chat_id}/export')")
    expect(await scripts.checkApiTypes(root, description, { write: true })).to.deep.equal([
      `${folder}/api/areas.json: the service has no /api/task`,
      `${folder}/api/areas.json: the service has no tasks.*`,
      `${folder}/api/areas.json: the service has no Missing`,
      `${folder}/api/areas.json: Agent comes with a path or an event of the area`,
      `${folder}/api/areas.json: nothing in the folder mentions /api/chats`,
      `${folder}/api/areas.json: nothing in the folder mentions task.deleted`,
      `${folder}/api/areas.json: nothing in the folder mentions Agent`,
    ])
    expect(await read('api/schema.ts')).to.equal('')
  })

  it('are of an area that is collected from the sources', async () => {
    await write(`${folder}/words.ts`, "/** `/api/tasks-of-others` */\nexport const words = { 'task.deleted': 'A task was deleted' }\n")
    await write(`${folder}/link.ts`, 'export const link = (id: string, query: string) => `/api/chats/${id}/export?${query}`\n')
    await write(
      `${folder}/types.ts`,
      "import type { Schemas } from './api/index.js'\n\nexport type Agent = Schemas['Agent']\nexport type Other = Schemas['Other']\n",
    )
    scripts.writeArea(root, folder, description)
    expect(JSON.parse(await read('api/areas.json'))).to.deep.equal({
      paths: ['/api/chats/{chat_id}/export', '/api/tasks'],
      events: ['reset', 'task.updated'],
    })
    await write(`${folder}/link.ts`, "export const watch = (): void => onEvent('task.deleted', () => undefined)\n")
    scripts.writeArea(root, folder, description)
    expect(JSON.parse(await read('api/areas.json'))).to.deep.equal({
      paths: ['/api/tasks'],
      events: ['reset', 'task.*'],
      schemas: ['Other'],
    })
    expect(await scripts.checkApiTypes(root, description, { write: true })).to.deep.equal([])
  })
})
