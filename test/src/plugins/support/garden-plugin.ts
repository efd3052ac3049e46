import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const sdk = (name = ''): string => JSON.stringify(import.meta.resolve(`@agent-service/sdk${name}`))

export interface GardenOptions {
  readonly id: string
  readonly version?: string
  /** The prefix of its collections and its folder. Default: its id. */
  readonly prefix?: string
  readonly renamedFrom?: readonly string[]
  /** Whether it plants at its start. Default true. */
  readonly plants?: boolean
  /** Default: `beds` too. */
  readonly withBeds?: boolean
}

/**
 * Writes a third party's plugin that keeps something everywhere: documents of Ada with a sealed
 * text, documents of the deployment, a file of Ada, a cache file, a subscription. Its route
 * `GET /api/plugins/<id>/garden` says what it finds.
 */
export async function writeGarden(folder: string, options: GardenOptions): Promise<string> {
  const { id, version = '1.0.0', prefix = id, renamedFrom, plants = true, withBeds = true } = options
  // Modules of a process are loaded once from a path.
  const place = path.join(folder, `${id}-${version}${plants ? '' : '-idle'}`)
  const manifest = {
    id,
    apiVersion: 1,
    contributes: ['http.route', 'user.data'],
    storage: { subsystems: [prefix] },
    ...(renamedFrom && { renamedFrom }),
  }
  await rm(place, { recursive: true, force: true })
  await mkdir(place)
  await writeFile(
    path.join(place, 'package.json'),
    JSON.stringify({ name: id, version, type: 'module', agentService: { plugin: './plugin.json' } }),
  )
  await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version, entry: './index.js' }))
  await writeFile(
    path.join(place, 'index.js'),
    `import { definePlugin, Type } from ${sdk()}
    import { httpRoutes } from ${sdk('/contracts/http-route')}
    import { userData } from ${sdk('/contracts/user-data')}
    import { cacheFilesService } from ${sdk('/services/cache-files')}
    import { databaseService, defineCollection } from ${sdk('/services/database')}
    import { eventsService } from ${sdk('/services/events')}
    import { sealsService } from ${sdk('/services/seals')}
    import { sealedFieldsService } from ${sdk('/services/secrets')}
    import { userFilesService } from ${sdk('/services/user-files')}
    const notes = defineCollection()({ name: '${prefix}.notes', version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id', sealed: ['token'] })
    const beds = defineCollection()({ name: '${prefix}.beds', version: 1, indexes: {} })
    const tokenOf = (id) => ({ collection: notes, id, field: 'token' })
    export default definePlugin({
      manifest: ${JSON.stringify(manifest)},
      collections: ${withBeds ? '[notes, beds]' : '[notes]'},
      async setup(context) {
        const database = context.use(databaseService)
        const sealed = context.use(sealedFieldsService)
        const seals = context.use(sealsService)
        const cache = context.use(cacheFilesService)
        const files = context.use(userFilesService).folder({ handle: 'ada' }, { subsystem: '${prefix}' })
        const gaps = []
        await context.use(eventsService).subscribe({ id: 'chats', names: ['chat.created'], handle: async (event) => void (event.kind === 'gap' && gaps.push(event)) })
        if (${plants}) {
          for (const n of [1, 2, 3]) {
            const token = await sealed.seal('secret ' + n, tokenOf('n' + n))
            await database.collection(notes).put({ id: 'n' + n, user_id: 'ada', token, seal: await seals.seal('sealed ' + n, 'note') })
          }
          if (${withBeds}) await database.collection(beds).put({ id: 'b1' })
          await files.write('plan.md', new TextEncoder().encode('Roses.'))
          await cache.write('weather.json', '{}')
        }
        context.contribute(userData, {
          specVersion: 1, id: '${prefix}.notes', collections: ['${prefix}.notes'],
          export: async function* () {}, erase: async () => undefined, size: async () => ({ records: 0, bytes: 0 }),
        })
        context.contribute(httpRoutes, {
          specVersion: 1, method: 'GET', path: '/api/plugins/${id}/garden', operationId: '${id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Show', summary: 'Show', auth: 'user', answers: { 200: { description: 'All.', schema: Type.Object({ notes: Type.Array(Type.Unknown()), hasPlan: Type.Boolean(), weather: Type.Union([Type.String(), Type.Null()]), gaps: Type.Integer() }) } },
          async handle() {
            const found = []
            for (const note of (await database.collection(notes).query({ index: 'by_user' })).items)
              found.push({ token: await sealed.open(note.token, tokenOf(note.id)), seal: (await seals.open(note.seal, 'note')) ?? null })
            const plan = await files.read('plan.md').catch(() => undefined)
            return { status: 200, kind: 'json', json: { notes: found, hasPlan: plan !== undefined, weather: (await cache.read('weather.json')) ?? null, gaps: gaps.length } }
          },
        })
      },
    })`,
  )
  return place
}
