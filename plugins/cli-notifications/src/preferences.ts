import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listOf, objectOf } from '@agent-service/sdk/contracts/cli-command'

const destinations = ['app', 'mail', 'push'] as const

/** Shows which kinds the person gets, and where; turns them on or off. */
export const preferencesCommand = defineCommand({
  name: 'notifications preferences',
  summary: 'show which notifications you get, or turn a kind on or off',
  arguments: [{ name: 'kind', description: 'the kind to change', required: false }],
  options: [
    { name: 'app', description: 'whether it is in the list: on, off or default', value: 'choice' },
    { name: 'mail', description: 'whether it goes by e-mail: on, off or default', value: 'choice' },
    { name: 'push', description: 'whether it goes to your devices: on, off or default', value: 'choice' },
  ],
  async run({ arguments: [kind], options, request, print, table, warn }) {
    const change: Record<string, boolean | null> = {}
    for (const name of destinations) {
      const choice = options[name]
      if (choice === undefined) continue
      if (choice !== 'on' && choice !== 'off' && choice !== 'default') {
        await warn(`--${name} is on, off or default.`)
        return { status: 1 }
      }
      change[name] = choice === 'default' ? null : choice === 'on'
    }
    if ((kind === undefined) !== (Object.keys(change).length === 0)) {
      await warn('To change a kind, name it and what to change: notifications preferences task.failed --mail on')
      return { status: 1 }
    }
    const path = '/api/notifications/preferences'
    const answer = objectOf(kind === undefined ? await request('GET', path) : await request('PATCH', path, { kinds: { [kind]: change } }))
    const rows = listOf(answer['kinds']).map((each) => [
      String(each['kind']),
      ...destinations.map((destination) => onOff(each, destination)),
      titleOf(each),
    ])
    await table([['KIND', 'APP', 'MAIL', 'PUSH', 'TITLE'], ...rows], { whole: ['KIND'] })
    const { available, reason } = objectOf(answer['mail'])
    if (available !== true) await print(reasons[String(reason)] ?? 'No e-mail can be sent.')
    return { status: 0, json: answer }
  },
})

const onOff = (kind: JsonObject, member: (typeof destinations)[number]): string => (kind[member] === true ? 'on' : 'off')
const titleOf = (kind: JsonObject): string => String(objectOf(kind['title'])['en'] ?? '')

const reasons: Readonly<Record<string, string>> = {
  not_configured: 'No e-mail is sent: no mail server is configured.',
  password_missing: 'No e-mail is sent: the mail server needs a password.',
  no_plugin: 'No e-mail is sent: the plugin feature-mail is not active.',
  no_address: 'No e-mail is sent: your account has no e-mail address.',
  unconfirmed_address: 'No e-mail is sent: confirm the e-mail address of your account in your profile first.',
}
