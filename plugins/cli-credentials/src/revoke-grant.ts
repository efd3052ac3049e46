import { defineCommand } from '@agent-service/sdk/contracts/cli-command'

/** Ends a grant. */
export const revokeGrantCommand = defineCommand({
  name: 'credentials revoke',
  summary: 'end what an agent may use: its next use fails',
  arguments: [{ name: 'grant', description: 'the grant, by the ID that “credentials list” shows', required: true }],
  async run({ arguments: [id = ''], request, print }) {
    await request('DELETE', `/api/credentials/grants/${encodeURIComponent(id)}`)
    await print('The agent may no longer use it.')
    return { status: 0, json: { id } }
  },
})
