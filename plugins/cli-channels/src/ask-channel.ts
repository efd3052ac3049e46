import { type CliCommand, defineCommand, objectOf, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'
import { connectionArgument, connectionPath } from './words.js'

const testCommand = defineCommand({
  name: 'channels test',
  summary: 'connect now, say how that goes, and send a test message where its owner wrote last',
  arguments: [connectionArgument],
  async run({ arguments: [id = ''], request, print, warn }) {
    const answer = objectOf(await request('POST', connectionPath(id, '/test')))
    const connection = objectOf(answer['connection'])
    if (connection['state'] !== 'connected') {
      await warn(
        `${textOf(connection['title'])} is ${textOf(connection['state'])}: ${textOf(objectOf(connection['failure'])['message'])}`,
        { style: 'red' },
      )
      return { status: 1, json: answer }
    }
    await print(`${textOf(connection['title'])} is connected as ${textOf(objectOf(connection['account'])['name'])}.`)
    await print(
      answer['delivery'] === null ? 'Its owner has not written to it yet, so no test message was sent.' : 'A test message is on its way.',
    )
    return { status: 0, json: answer }
  },
})

const retryCommand = defineCommand({
  name: 'channels retry',
  summary: 'connect now, also what has failed for good',
  arguments: [connectionArgument],
  async run({ arguments: [id = ''], request, print }) {
    const connection = objectOf(await request('POST', connectionPath(id, '/retry')))
    const next = shownTime(connection['next_attempt_at'])
    await print(`${textOf(connection['title'])} is ${textOf(connection['state'])}${next === '' ? '' : `, and tries again at ${next} UTC`}.`)
    return { status: 0, json: connection }
  },
})

/** Asks a connection whether it works, or to connect now. */
export const askChannelCommands: readonly CliCommand[] = [testCommand, retryCommand]
