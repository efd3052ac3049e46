import { defineCommand } from '@agent-service/sdk/contracts/cli-command'

/** Revokes a link. */
export const revokeShareCommand = defineCommand({
  name: 'shares revoke',
  summary: 'revoke a link: it stops working at once',
  arguments: [{ name: 'link', description: 'the link, by the ID that “shares list” shows', required: true }],
  async run({ arguments: [id = ''], request, print }) {
    await request('DELETE', `/api/shares/${encodeURIComponent(id)}`)
    await print('The link no longer works.')
    return { status: 0, json: { id } }
  },
})
