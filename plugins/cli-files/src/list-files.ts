import { defineCommand, listAll, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'
import { pathOf, rowOf, sizeText } from './file-words.js'

/** The most entries that are shown. */
const max = 1_000
const cut = 'There is more than is shown here.'

/** Lists a folder. */
export const listFilesCommand = defineCommand({
  name: 'files list',
  summary: 'list a folder of your files',
  arguments: [
    {
      name: 'folder',
      description: 'the folder: “reports” below your files, or “workspaces/<agent>”; by default all your files',
      required: false,
    },
  ],
  async run({ arguments: [folder = 'files'], request, print, table, warn }) {
    const { items, hasMore } = await listAll(request, '/api/files', { query: { path: pathOf(folder) }, max })
    if (items.length === 0) await print('The folder is empty.')
    else await table([['NAME', 'SIZE', 'CHANGED'], ...items.map((each) => rowOf(each))], { whole: ['NAME'] })
    if (hasMore) await warn(cut)
    return { status: 0, json: { items: [...items] } }
  },
})

/** Searches by name. */
export const searchFilesCommand = defineCommand({
  name: 'files search',
  summary: 'search your files by name',
  arguments: [
    { name: 'name', description: 'a part of the name', required: true },
    { name: 'folder', description: 'the folder to search; by default all your files', required: false },
  ],
  async run({ arguments: [name = '', folder = 'files'], request, print, table, warn }) {
    const { items, hasMore } = await listAll(request, '/api/files/search', { query: { name, path: pathOf(folder) }, max })
    if (items.length === 0) await print('Nothing was found.')
    else await table([['PATH', 'SIZE', 'CHANGED'], ...items.map((each) => rowOf(each, each['path']))], { whole: ['PATH'] })
    if (hasMore) await warn(cut)
    return { status: 0, json: { items: [...items] } }
  },
})

/** Lists the bin, or empties it. */
export const binCommand = defineCommand({
  name: 'files bin',
  summary: 'list what is in the bin, or empty it',
  options: [{ name: 'empty', description: 'delete all that is in the bin for good' }],
  async run({ options, request, print, table, warn }) {
    if (options['empty'] === true) {
      await request('DELETE', '/api/files/bin')
      await print('The bin is empty.')
      return { status: 0, json: { items: [] } }
    }
    const { items, hasMore } = await listAll(request, '/api/files/bin', { max })
    if (items.length === 0) await print('The bin is empty.')
    else {
      const rows = items.map((each) => [
        ...[String(each['id']), String(each['path'])],
        ...[each['kind'] === 'file' ? sizeText(each['size']) : String(each['kind']), shownTime(each['deleted_at'], 'second')],
      ])
      await table([['ENTRY', 'PATH', 'SIZE', 'DELETED'], ...rows], { whole: ['ENTRY'] })
    }
    if (hasMore) await warn(cut)
    return { status: 0, json: { items: [...items] } }
  },
})

/** Brings something back from the bin. */
export const restoreCommand = defineCommand({
  name: 'files restore',
  summary: 'bring something back from the bin',
  arguments: [{ name: 'entry', description: 'the entry, as “files bin” lists it', required: true }],
  async run({ arguments: [entry = ''], request, print }) {
    const file = objectOf(await request('POST', `/api/files/bin/${encodeURIComponent(entry)}/restore`))
    await print(`“${String(file['path'])}” is back.`)
    return { status: 0, json: file }
  },
})
