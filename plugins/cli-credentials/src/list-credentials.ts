import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, listOf, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'
import { termOf } from './words.js'

/** Lists the person's credentials, and what agents may use of them and of vaults. */
export const listCredentialsCommand = defineCommand({
  name: 'credentials list',
  summary: 'list your credentials and what your agents may use, without values',
  async run({ request, print, table }) {
    const { items: credentials } = await listAll(request, '/api/credentials')
    const { items: grants } = await listAll(request, '/api/credentials/grants')
    if (credentials.length === 0) await print('You keep no credentials here.')
    else await table([['NAME', 'FIELDS', 'CHANGED', 'TITLE'], ...credentials.map(rowOfCredential)], { whole: ['NAME', 'CHANGED'] })
    if (grants.length === 0) await print('No agent may use any.')
    else await table([['GRANT', 'AGENT', 'NAME', 'FOR', 'USES', 'TITLE'], ...grants.map(rowOfGrant)], { whole: ['GRANT', 'AGENT', 'NAME'] })
    return { status: 0, json: { credentials, grants } }
  },
})

const rowOfCredential = ({ name, title, fields, values_changed_at: changedAt }: JsonObject): readonly string[] => [
  ...[
    textOf(name),
    listOf(fields)
      .map((field) => textOf(field['name']))
      .join(', '),
  ],
  ...[shownTime(changedAt), textOf(title)],
]

const rowOfGrant = (grant: JsonObject): readonly string[] => [
  ...[textOf(grant['id']), textOf(grant['agent']), textOf(grant['name']), termOf(grant), String(grant['uses']), textOf(grant['title'])],
]
