import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'

/** Sends a test e-mail to the administrator who calls it. */
export const testMailCommand = defineCommand({
  name: 'mail test',
  summary: 'send a test e-mail to your address (administrators)',
  async run({ request, print }) {
    const answer = objectOf(await request('POST', '/api/admin/mail/test'))
    await print(`The mail server has taken an e-mail to ${String(answer['to'])}.`)
    return { status: 0, json: answer }
  },
})
