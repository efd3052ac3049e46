import { type CliCommand, type CommandContext, listOf, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'

const path = '/api/channels/pairings/claim'

/** Takes the code of a shared channel, once the person has seen whose it is and said that it is they. */
export async function claimCode(
  code: string | undefined,
  { request, print, warn, ask }: Pick<CommandContext, 'request' | 'print' | 'warn' | 'ask'>,
): ReturnType<CliCommand['run']> {
  if (code === undefined) {
    await warn('Name the code that the channel has shown you: channels pair CODE --claim.', { style: 'red' })
    return { status: 1 }
  }
  const shown = objectOf(await request('POST', path, { code }))
  const { name, sender_id: senderId } = objectOf(shown['sender'])
  await print(
    `${textOf(name) || 'Someone without a name'} (${textOf(senderId)}) in ${textOf(shown['title'])} was shown this code, and wrote:`,
  )
  for (const { text } of listOf(shown['messages'])) await print(`  ${textOf(text).replaceAll('\n', '\n  ')}`)
  const answer = await ask('Is that you? Their messages become yours. Type yes: ')
  if (answer.trim().toLowerCase() !== 'yes') {
    await warn('Nothing was changed.')
    return { status: 1 }
  }
  const json = await request('POST', path, { code, sender_id: textOf(senderId) })
  await print('The channel knows you now: what you write there goes to your own agent. To end that: agent-service channels unpair')
  return { status: 0, json }
}
