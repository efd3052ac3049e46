import { type CliCommand, defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { pathOf, queryOf } from './file-words.js'

const between = (what: 'move' | 'copy', summary: string, done: string): CliCommand =>
  defineCommand({
    name: `files ${what}`,
    summary,
    arguments: [
      { name: 'from', description: 'its path, “report.pdf” or “workspaces/<agent>/report.pdf”', required: true },
      { name: 'to', description: 'the new path; nothing may be there', required: true },
    ],
    async run({ arguments: [typedFrom = '', typedTo = ''], request, print }) {
      const [from, to] = [pathOf(typedFrom), pathOf(typedTo)]
      const file = objectOf(await request('POST', `/api/files/${what}`, { from, to }))
      await print(`“${from}” was ${done} to “${String(file['path'])}”.`)
      return { status: 0, json: file }
    },
  })

/** What changes files of a person. */
export const changeCommands: readonly CliCommand[] = [
  between('move', 'move or rename a file or a folder', 'moved'),
  between('copy', 'copy a file or a folder', 'copied'),
  defineCommand({
    name: 'files remove',
    summary: 'move a file or a folder into the bin',
    arguments: [{ name: 'path', description: 'its path, “report.pdf” or “workspaces/<agent>/report.pdf”', required: true }],
    options: [{ name: 'for-good', description: 'delete a file or an empty folder at once, without the bin' }],
    async run({ arguments: [typed = ''], options, request, print }) {
      const path = pathOf(typed)
      if (options['for-good'] === true) {
        await request('DELETE', `/api/files/content?${queryOf({ path })}`)
        await print(`“${path}” was deleted.`)
        return { status: 0, json: { path } }
      }
      const entry = objectOf(await request('POST', '/api/files/bin', { path }))
      await print(`“${path}” is in the bin, as ${String(entry['id'])}.`)
      return { status: 0, json: entry }
    },
  }),
]
